import { hashOf } from '../../state/page/route.ts'

export { ding } from './sound.ts'

interface Alert {
  conversation: string
  title: string
  text: string
  /** One takes the place of the other, however many tabs are open. */
  tag: string
  icon?: string
}

/** Notifies on the desktop or the phone; a click opens the conversation. */
export async function notify({ conversation, title, text, tag, icon = '/icon-192.png' }: Alert) {
  if (permission() !== 'granted') return
  const address = hashOf(conversation)
  const look = { body: text, tag, icon, data: address }
  try {
    const notification = new Notification(title, look)
    notification.onclick = () => {
      window.focus()
      location.hash = address
      notification.close()
    }
  } catch (error) {
    // Phones let only a service worker notify.
    if (!(error instanceof TypeError)) throw error
    const worker = await navigator.serviceWorker?.getRegistration()
    await worker?.showNotification(title, look)
  }
}

/** The browser asks the person only after a tap. */
export async function allowNotifications(): Promise<boolean> {
  return (permission() === 'default' ? await Notification.requestPermission() : permission()) === 'granted'
}

/** Undefined where the browser has no notifications, as for a page without https. */
export function permission(): NotificationPermission | undefined {
  return 'Notification' in window && window.isSecureContext ? Notification.permission : undefined
}

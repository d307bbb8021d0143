import type { Entry } from '../../../src/protocol/entry.ts'
import { hashOf } from '../state/route.ts'
import { gistOf } from '../text/content.ts'
import { wishOf } from '../text/wish.ts'

export { ding } from './sound.ts'

/** One notification for each question, on the desktop or the phone. */
export async function notify({ id, conversation, body }: Entry, title: string) {
  if (body.kind !== 'question' || permission() !== 'granted') return
  const address = hashOf(conversation)
  const text = body.approval ? wishOf(body.by, body.approval) : gistOf(body.text)
  // The tag makes it one, however many tabs are open.
  const look = { body: text, tag: id, icon: '/icon-192.png', data: address }
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

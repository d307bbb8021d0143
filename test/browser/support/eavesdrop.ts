import { type Chat, expect } from './fixture.ts'

export interface Heard {
  asked: number
  sounds: number
  shown: { title: string; body: string; tag: string; onclick?: () => void }[]
}

/** Runs in the page before it does: notes what it would have the browser do, and lets a test hide the page. */
export function eavesdrop() {
  const heard: Heard = { asked: 0, sounds: 0, shown: [] }
  let hidden = false
  Object.defineProperty(document, 'visibilityState', { get: () => (hidden ? 'hidden' : 'visible') })
  class Notified {
    static permission = sessionStorage.getItem('allowed') ?? 'default'
    static async requestPermission() {
      heard.asked++
      sessionStorage.setItem('allowed', 'granted')
      Notified.permission = 'granted'
      return 'granted'
    }
    constructor(title: string, { body, tag }: { body: string; tag: string }) {
      heard.shown.push(Object.assign(this, { title, body, tag }))
    }
    close() {}
  }
  const { AudioContext } = window
  class Counted extends AudioContext {
    constructor() {
      super()
      heard.sounds++
    }
  }
  const hide = (now: boolean) => {
    hidden = now
    document.dispatchEvent(new Event('visibilitychange'))
  }
  Object.assign(window, { Notification: Notified, AudioContext: Counted, heard, hide })
}

export async function listenTo(chat: Chat) {
  await chat.page.addInitScript(eavesdrop)
  await chat.page.reload()
}

/** What it would have done. */
export const heard = (chat: Pick<Chat, 'page'>) =>
  chat.page.evaluate(() => (window as unknown as { heard: Heard }).heard)
export const hide = (chat: Pick<Chat, 'page'>, now: boolean) =>
  chat.page.evaluate((now) => (window as unknown as { hide(now: boolean): void }).hide(now), now)

export async function allow(chat: Chat) {
  await chat.page.getByRole('button', { name: 'Settings' }).click()
  await chat.page.getByRole('checkbox', { name: 'Notify me' }).check()
  await expect(chat.page.getByRole('checkbox', { name: 'Notify me' })).toBeChecked()
  await chat.page.keyboard.press('Escape')
}

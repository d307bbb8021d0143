import './app.css'
import './markdown.css'
import './code.css'
import { mount } from 'svelte'
import { TIMELINE } from '../../src/protocol/frames/timeline.ts'
import App from './App.svelte'
import { keepAboveKeyboard } from './frame/keyboard.ts'
import { installWorker } from './frame/worker.ts'
import { Hub } from './state/hub/hub.svelte.ts'
import { Known } from './state/hub/known.ts'
import { Outbox } from './state/hub/outbox.ts'
import { keyHeader, offersOf } from './state/hub/page-key.ts'
import { draftIn } from './state/list/drafts.ts'
import { conversationIn, entryIn } from './state/page/route.ts'
import { Settings } from './state/page/settings.svelte.ts'

const url = new URL(`/ws?dialect=${TIMELINE}`, location.href)
url.protocol = url.protocol.replace('http', 'ws')

const known = new Known(localStorage)
const hub = new Hub({
  url: url.href,
  offers: () => offersOf(TIMELINE),
  drafts: localStorage,
  outbox: new Outbox(localStorage),
  known,
  shown: conversationIn(location.hash),
  entry: entryIn(location.hash),
  turnedAway,
  own: true,
})
const settings = new Settings(localStorage)
addEventListener('pagehide', () => {
  if (hub.welcomed) known.keep(hub.roster.list.map(({ state }) => state))
})
addEventListener('storage', (stored) => {
  settings.read()
  const draft = draftIn(stored)
  if (draft) hub.roster.get(draft.conversation)?.writing.hear(draft.now)
})
document.addEventListener('visibilitychange', () => hub.preferences.hurry())
const target = document.getElementById('app')
if (target) mount(App, { target, props: { hub, settings, worker: installWorker() } })
keepAboveKeyboard()
hub.link.open()

async function turnedAway(): Promise<boolean> {
  try {
    return (await fetch('/ws', { headers: [keyHeader()] })).status === 401
  } catch (error) {
    // Nobody is there at all.
    if (!(error instanceof TypeError)) throw error
    return false
  }
}

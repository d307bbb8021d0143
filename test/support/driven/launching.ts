import { realpathSync } from 'node:fs'
import { onTestFinished, vi } from 'vitest'
import type { View } from '../../../src/chat/view.ts'
import { startHubWithSocket, temporaryFolder } from '../hub.ts'
import { connectPage } from '../socket.ts'
import { machineIn } from './programs.ts'

/** A home folder with programs on its own path, which is that of this process until the test ends. */
export async function homeWith(programs: Record<string, string>) {
  const machine = machineIn(realpathSync(await temporaryFolder()), programs)
  for (const [name, value] of Object.entries(machine.env)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  return machine
}

/** A hub with a page, on a machine that has these programs. */
export async function openLaunching(programs: Record<string, string>) {
  const machine = await homeWith(programs)
  const data = await temporaryFolder()
  const hub = await startHubWithSocket(data)
  const page = await connectPage(hub.url)
  return { ...machine, data, hub, page, view: hub.view }
}

/** Resolves once the conversation has these words. */
export async function untilSaid(view: View, conversation: string, words: string): Promise<void> {
  const after = await view.last()
  const { entries } = await view.page(conversation, { limit: 100 })
  if (JSON.stringify(entries).includes(words)) return
  await new Promise<void>((resolve, reject) => {
    const following = view.follow(
      { conversation, after },
      { entries: (told) => void (JSON.stringify(told).includes(words) && resolve()), failed: reject },
    )
    onTestFinished(() => void following.close())
  })
}

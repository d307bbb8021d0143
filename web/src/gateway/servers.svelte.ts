import * as z from 'zod/mini'
import { MountState } from '../../../src/protocol/tools/gateway.ts'
import { ToolViews } from '../../../src/protocol/tools/views.ts'
import { call, Refused } from './call.ts'

const Listed = z.object({ mounts: z.array(MountState), views: ToolViews })
const Begun = z.object({ address: z.string() })
const Lines = z.object({ lines: z.array(z.string()) })

/** The mounted servers as they were when they were last looked at, and what can be done about them. */
export class Servers {
  list = $state.raw<MountState[]>()
  /** The views: which agents see which servers. */
  views = $state.raw<ToolViews>([])
  /** Why they cannot be seen. */
  unseen = $state<string>()
  /** Why the last change was refused. */
  problem = $state<string>()

  async look() {
    try {
      const { mounts, views } = Listed.parse(await call('mount_list', {}))
      this.list = mounts
      this.views = views
      this.unseen = undefined
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.unseen = error.message
    }
  }

  /** Whether it was done. */
  async add(name: string, config: object): Promise<boolean> {
    return this.#change('mount_add', { name, config })
  }

  async pause({ name }: MountState) {
    await this.#change('mount_pause', { name })
  }

  async resume({ name }: MountState) {
    await this.#change('mount_resume', { name })
  }

  async remove({ name }: MountState) {
    await this.#change('mount_remove', { name })
  }

  /** Why it was refused, if it was. */
  async setViews(views: ToolViews): Promise<string | undefined> {
    await this.#change('view_set', { views })
    const { problem } = this
    this.problem = undefined
    return problem
  }

  /** Signs in in a tab of its own. It is opened by the click, or browsers would hold it back. */
  async signIn({ name }: MountState) {
    const tab = window.open('about:blank')
    this.problem = undefined
    try {
      const { address } = Begun.parse(await call('mount_sign_in', { name }))
      if (!tab) throw new Refused(`Open ${address} to sign in; the browser blocked the tab`)
      tab.opener = null
      tab.location.replace(address)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      tab?.close()
      this.problem = error.message
    }
  }

  /** The last lines that a server wrote; nothing where it has gone meanwhile. */
  async log({ name }: MountState): Promise<string[]> {
    try {
      return Lines.parse(await call('mount_logs', { name })).lines
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return []
    }
  }

  async #change(tool: string, input: object): Promise<boolean> {
    this.problem = undefined
    try {
      await call(tool, input)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.problem = error.message
    }
    await this.look()
    return this.problem === undefined
  }
}

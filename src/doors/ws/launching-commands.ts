import type { Beginning, FirstWords } from '../../chat/driving/starting.ts'
import { createQueue } from '../../io/queue.ts'
import type { Entry } from '../../protocol/entries/entry.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { TimelineFrame } from '../../protocol/frames/timeline.ts'
import type { TimelineCommand } from '../../protocol/frames/timeline-command.ts'
import { can } from '../../protocol/principal.ts'
import { NAME } from '../../protocol/text/name.ts'
import { unreachable } from '../../protocol/unreachable.ts'
import type { Connection, Launching } from './dialect.ts'

type Asked = Extract<
  TimelineCommand,
  {
    type:
      | 'catalogue'
      | 'browse'
      | 'find_files'
      | 'show_file'
      | 'sessions'
      | 'allow_adapter'
      | 'processes'
      | 'stop_processes'
  }
>
type Wanted = Omit<Extract<TimelineCommand, { type: 'start' }>, 'type' | 'text' | 'attachments'>

interface LaunchingParts extends Pick<Connection, 'view' | 'launching' | 'fail'> {
  /** One answer after the other. */
  inTurn(work: () => Promise<void>): Promise<void>
  say(frame: TimelineFrame): void | Promise<void>
}

/** What a page asks and wants of agents that the hub starts. */
export function launchingCommands({ view, launching, fail, inTurn, say }: LaunchingParts) {
  const telling = createQueue()
  let following: { close(): void } | undefined
  let isStale = false
  return { welcome, receive, begin, mayWish, close: () => following?.close() }

  function welcome() {
    const may = launching !== undefined && launching !== 'foreign' && can(view.principal, 'administer')
    return may ? { launches: true as const } : {}
  }

  function receive(command: Asked): Promise<void> {
    switch (command.type) {
      case 'catalogue':
        return inTurn(() => catalogue(command.key))
      case 'browse':
        return inTurn(async () => {
          const page = await mustLaunch().browse(command.folder, command.after)
          await say({ type: 'folders', key: command.key, ...page })
        })
      case 'find_files':
        return inTurn(async () => {
          const { key, conversation, query } = command
          const found = await mustLaunch().findFiles(await folderOf(conversation), query)
          await say({ type: 'files_found', key, ...found })
        })
      case 'show_file':
        return inTurn(async () => {
          const { key, conversation, path } = command
          const file = await mustLaunch().showFile(await folderOf(conversation), path)
          await say({ type: 'file', key, ...file })
        })
      case 'sessions': {
        const { key, agent, folder, after } = command
        // An agent takes its time to start, and nobody else's answer waits for that.
        return mustLaunch()
          .sessions(agent, folder, after)
          .then((page) => say({ type: 'sessions', key, ...page }))
      }
      case 'allow_adapter':
        return allowAdapter(command)
      case 'processes':
        return inTurn(async () => {
          await say({ type: 'processes', key: command.key, processes: await mustLaunch().running() })
        })
      case 'stop_processes':
        return stop(command)
      default:
        return unreachable(command)
    }
  }

  async function folderOf(conversation: string): Promise<string> {
    const { folder } = await view.conversation(conversation)
    if (folder === undefined) throw new ParleyError('folderless', { conversation })
    return folder
  }

  async function catalogue(key: string) {
    const launcher = mustLaunch()
    await say({ type: 'catalogue', key, ...(await launcher.catalogue()) })
    following ??= launcher.onChange(tellSoon)
  }

  /** Changes that come together are told once. */
  function tellSoon() {
    if (isStale) return
    isStale = true
    telling
      .add(async () => {
        isStale = false
        await say({ type: 'catalogue', ...(await mustLaunch().catalogue()) })
      })
      .catch(fail)
  }

  async function allowAdapter({ key, agent, version }: Extract<Asked, { type: 'allow_adapter' }>) {
    const launcher = mustLaunch()
    await launcher.allowAdapter(agent, version)
    await say({ type: 'catalogue', key, ...(await launcher.catalogue()) })
  }

  async function stop({ key, runner }: Extract<Asked, { type: 'stop_processes' }>) {
    const launcher = mustLaunch()
    const chosen = (await launcher.running()).filter((one) => runner === undefined || one.runner === runner)
    const driven = new Map(view.driving.driven())
    const busy = chosen
      .flatMap(({ conversations }) => conversations)
      .filter((id) => ['working', 'waiting'].includes(driven.get(id)?.state ?? ''))
    const told = busy.map((id) => view.interrupt(id, undefined, `${key} ${id}`.slice(0, NAME.longest)))
    // Whatever cannot be told is stopped all the same.
    await Promise.allSettled(told)
    await launcher.stop(runner)
    await say({ type: 'processes', key, processes: await launcher.running() })
  }

  /** Begins a conversation with the runner that was named, or that does what was wished. */
  async function begin(
    { key, agent = '', folder = '', worktree, more, ...settings }: Wanted,
    said: Omit<FirstWords, 'by'>,
  ): Promise<Entry> {
    const beginWith = (wanted: Beginning) => view.start(wanted, said, key)
    const { from } = settings
    const same = from && !agent ? (await view.conversation(from.conversation)).wish?.runner : undefined
    const { runner = same } = mayWish({ ...settings, runner: settings.runner ?? same })
    if (runner !== undefined && !view.driving.isLaunched(runner)) return beginWith({ ...settings, runner })
    const launcher = mustLaunch()
    const launch = runner === undefined ? { agent, folder, worktree } : { runner }
    const { resume } = settings
    const title = resume && agent ? await launcher.sessionTitle(agent, folder, resume) : undefined
    return launcher.begin(
      { ...launch, more },
      {
        key,
        nameWith: (runner) => view.nameOfStart(runner, key),
        hasBegun: (runner) => view.hasStarted(runner, key),
        begin: (runner) => beginWith({ ...settings, runner, ...(title !== undefined && { title }) }),
      },
    )
  }

  /** A page that is not the hub's own chooses none of the runners that the hub starts. */
  function mayWish<Wanted extends { runner?: string }>(wanted: Wanted): Wanted {
    const isLaunched = wanted.runner !== undefined && view.driving.isLaunched(wanted.runner)
    if (isLaunched && launching === 'foreign') throw new ParleyError('foreign_launch')
    return wanted
  }

  /** Whoever may not is told so before anything else is said of it. */
  function mustLaunch(): Launching {
    view.mustBeAbleTo('administer')
    if (launching === 'foreign') throw new ParleyError('foreign_launch')
    if (!launching) throw new ParleyError('no_launcher')
    return launching
  }
}

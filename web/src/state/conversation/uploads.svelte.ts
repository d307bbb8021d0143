import {
  ATTACHMENT_LIMIT_BYTES,
  type Attachment,
  MOST_ATTACHMENTS,
} from '../../../../src/protocol/entries/attachment.ts'
import { jsonIn } from '../../../../src/protocol/text/json.ts'
import { newKey } from '../hub/key.ts'
import { keyHeader } from '../hub/page-key.ts'

const TOO_LARGE = `Larger than ${ATTACHMENT_LIMIT_BYTES / 1024 / 1024} MiB`
const TOO_MANY = `A message carries at most ${MOST_ATTACHMENTS} files`
const UNFINISHED = 'Retry or remove the failed file'

/** One file on its way to the hub, there, or stuck with a reason. */
export class Upload {
  readonly key = newKey()
  readonly name: string
  readonly size: number
  /** A share from 0 to 1. */
  progress = $state(0)
  problem = $state<string>()
  attachment = $state.raw<Attachment>()
  /** Nobody answered; the hub may be away. */
  broke = $state(false)
  readonly #file: File | undefined
  readonly #ended: () => void
  #request: XMLHttpRequest | undefined

  constructor(file: File | Attachment, ended: () => void) {
    this.name = file.name
    this.size = file.size
    this.#ended = ended
    if ('hash' in file) this.attachment = file
    else this.#file = file
  }

  get running(): boolean {
    return this.attachment === undefined && this.problem === undefined
  }

  /** A problem of the file itself will be no better the next time. */
  get canRetry(): boolean {
    return this.problem !== undefined && this.size > 0 && this.size <= ATTACHMENT_LIMIT_BYTES
  }

  start() {
    const file = this.#file
    if (!file) return
    if (file.size > ATTACHMENT_LIMIT_BYTES) return this.#end(TOO_LARGE)
    this.problem = undefined
    this.broke = false
    this.progress = 0
    // `fetch` does not tell how far an upload is.
    const request = new XMLHttpRequest()
    this.#request = request
    request.open('POST', '/api/attachments')
    request.setRequestHeader('content-type', file.type || 'application/octet-stream')
    request.setRequestHeader('x-name', encodeURIComponent(file.name.toWellFormed()))
    request.setRequestHeader(...keyHeader())
    request.upload.onprogress = ({ loaded, total }) => {
      this.progress = total > 0 ? loaded / total : 0
    }
    request.onload = () => this.#answered(request)
    request.onerror = () => {
      this.broke = true
      this.#end('Offline')
    }
    request.send(file)
  }

  stop() {
    this.#request?.abort()
  }

  #answered({ status, responseText }: XMLHttpRequest) {
    // Undefined when something between here and the hub has answered.
    const answer = jsonIn(responseText) as (Attachment & { error?: string }) | undefined
    if (status === 200) this.attachment = answer
    this.#end(status === 200 ? undefined : (answer?.error ?? `Upload failed (${status})`))
  }

  #end(problem: string | undefined) {
    this.problem = problem
    this.#ended()
  }
}

/** The files of a message that is being written. They are uploaded at once, and the message waits for them. */
export class Uploads {
  list = $state.raw<Upload[]>([])
  problem = $state<string>()
  /** The message is said and waits for its files. */
  held = $state(false)
  #then: (() => void) | undefined
  /** A message was to be sent, and the connection broke. */
  #isStuck = false

  add(files: File[]) {
    const room = MOST_ATTACHMENTS - this.list.length
    this.problem = files.length > room ? TOO_MANY : undefined
    const uploads = files.slice(0, room).map((file) => new Upload(file, () => this.#look()))
    this.list = [...this.list, ...uploads]
    for (const upload of uploads) upload.start()
  }

  /** The hub is there again: what it did not get goes up, and the message that waited goes with it. */
  resume() {
    const broken = this.list.filter(({ broke }) => broke)
    if (broken.length === 0) return
    this.problem = undefined
    this.held = this.#isStuck
    for (const upload of broken) upload.start()
  }

  retry(upload: Upload) {
    this.problem = undefined
    upload.start()
  }

  /** A person who takes a file back may want to change the message, too: it waits no longer. */
  remove(upload: Upload) {
    upload.stop()
    this.list = this.list.filter((other) => other !== upload)
    this.held = false
    this.#isStuck = false
    this.problem = undefined
  }

  /** Runs now, or when the last file is with the hub; not at all when it refuses one of them. */
  whenDone(then: () => void) {
    this.#then = then
    this.held = true
    this.#look()
  }

  /** The files that go with the message; the next one begins without files. */
  take(): Attachment[] {
    const attachments = this.list.flatMap(({ attachment }) => attachment ?? [])
    this.list = []
    this.problem = undefined
    return attachments
  }

  /** Gives back the files of a message that was refused. */
  giveBack(attachments: Attachment[]) {
    this.list = [...attachments.map((attachment) => new Upload(attachment, () => {})), ...this.list]
  }

  #look() {
    if (!this.held || this.list.some(({ running }) => running)) return
    const failed = this.list.filter(({ problem }) => problem !== undefined)
    this.problem = failed.length > 0 ? UNFINISHED : undefined
    this.held = false
    this.#isStuck = failed.length > 0 && failed.every(({ broke }) => broke)
    if (failed.length === 0) this.#then?.()
  }
}

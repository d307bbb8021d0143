import { expect, onTestFinished, test, vi } from 'vitest'
import { isNamedAfter } from '../../src/chat/conversation/conversation-name.ts'
import { BEFORE_ALL, type Entry } from '../../src/protocol/entries/entry.ts'
import { UNANSWERED } from '../../src/protocol/entries/unanswered.ts'
import { SOAK } from '../log/contract/place.ts'
import { ask } from '../support/chat.ts'
import { breakFrame, type RawFrame, wholeFrame } from '../support/fuzz/broken-frames.ts'
import { type ConnectionState, type Effect, type Judgement, judge, type World } from '../support/fuzz/frame-judge.ts'
import { FUZZED, type FuzzedDialect } from '../support/fuzz/fuzzed-dialects.ts'
import { openTestHub, viewOf } from '../support/hub.ts'
import { type Dice, seeded } from '../support/seeded.ts'
import { type Client, connect, type Frame } from '../support/socket.ts'

const FRAMES_PER_HUB = SOAK > 1 ? 1000 : 200
const FRAMES = SOAK > 1 ? 100_000 : FRAMES_PER_HUB
const BATCH = 50
// No command needs more turns of the log than this before it is answered: greetings wait for each other.
const FENCES = 24
/** What a connection names its own conversation after. */
const OWN = 'chat'
const SEED = process.env.PARLEY_SEED

test.each(Object.keys(FUZZED))('[W24] broken frames of the %s dialect are refused, and harm nothing', async (name) => {
  const reported = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => void vi.restoreAllMocks())
  // Others in each soak; what may be merged is not left to chance.
  const first = Number(SEED ?? (SOAK > 1 ? Date.now() % 1_000_000 : 0))
  const hubs = SEED ? 1 : FRAMES / FRAMES_PER_HUB
  for (let seed = first; seed < first + hubs; seed++) {
    await fuzzHub(FUZZED[name] as FuzzedDialect, seeded(seed)).catch((error) => {
      error.message = `PARLEY_SEED=${seed}: ${error.message}`
      throw error
    })
    expect(reported.mock.calls, `reported with PARLEY_SEED=${seed}`).toEqual([])
  }
})

/** One hub, a witness who keeps talking with it, and connections that say what they should not. */
async function fuzzHub(dialect: FuzzedDialect, dice: Dice) {
  const hub = await openTestHub({ host: '127.0.0.1', port: 0, data: 'memory' })
  const { url } = hub
  const view = viewOf(hub)
  let names = 0
  const world: World = { open: new Map(), conversations: new Set(), beginning: new Set(), keys: new Set() }
  const past: string[] = []
  let cursor = BEFORE_ALL
  for (const conversation of ['mine', 'other']) {
    const { id } = await view.say(conversation, { text: 'Hello' })
    const asked = await Promise.all(
      ['answered', 'withdrawn'].map((text) => ask(view, { by: 'bob', text }, conversation)),
    )
    await view.answer(asked[0] ?? '', 'Yes')
    await view.agentService().withdraw([asked[1] ?? ''])
    past.push(id, ...asked)
  }
  const witness = await connectTo(undefined)
  if (dialect === FUZZED.timeline) await told(witness, { type: 'hello' }, ({ type }) => type === 'welcome')
  let { client, place } = await newcomer()
  for (let sent = 0; sent < FRAMES_PER_HUB; ) {
    await stockUp()
    const batch = makeBatch(place)
    sent += batch.length
    const closing = batch.at(-1)?.verdict.outcome === 'closed'
    await check(batch, client)
    if (closing || dice.chance(0.2)) ({ client, place } = await newcomer())
  }
  await hub.close()

  async function connectTo(only: string | undefined): Promise<Client> {
    return connect(url, `${dialect.path}${only === undefined ? '' : `&session=${only}`}`)
  }

  async function newcomer(): Promise<{ client: Client; place: ConnectionState }> {
    const only = dice.chance(0.3) ? 'mine' : undefined
    const place: ConnectionState = { documents: new Set(Object.keys(dialect.frames)), only, greeted: false }
    return { client: await connectTo(only), place }
  }

  /** Always a few questions to answer, and nothing on its way. */
  async function stockUp() {
    for (const conversation of ['mine', 'other']) {
      const { open } = await view.conversation(conversation)
      for (let n = open.length; n < 4; n++) await ask(view, { by: 'bob', text: `Deploy ${++names}?` }, conversation)
    }
    const states = await view.conversations({ limit: 1000 })
    world.open = new Map(states.flatMap(({ id, open }) => open.map((question) => [question.id, id])))
    world.conversations = new Set(states.map(({ id }) => id))
    world.beginning.clear()
    cursor = await view.last()
  }

  function makeBatch(place: ConnectionState) {
    const batch: { frame: RawFrame; verdict: Judgement }[] = []
    const stock = {
      questions: [...world.open.keys(), ...world.open.keys(), ...past],
      conversations: ['mine', 'other', 'nobody'],
      unique: () => `word ${++names}`,
    }
    if (dialect === FUZZED.timeline && !place.greeted && dice.chance(0.9)) add(wholeFrame([['type', '"hello"']]))
    while (batch.length < BATCH && batch.at(-1)?.verdict.outcome !== 'closed')
      add(breakFrame(dice, dice.pick(Object.values(dialect.frames))(dice, stock)))
    return batch

    function add(frame: RawFrame) {
      const verdict = judge(frame, place, world)
      if (verdict.outcome !== 'unsure') batch.push({ frame, verdict })
    }
  }

  async function check(batch: { frame: RawFrame; verdict: Judgement }[], client: Client) {
    const open = batch.filter(({ verdict }) => verdict.outcome !== 'closed')
    const closing = batch.find(({ verdict }) => verdict.outcome === 'closed')
    for (const { frame } of open) client.ws.send(frame.bytes, { binary: frame.binary })
    const heard = await untilQuiet(client)
    for (const frame of heard) expect(dialect.says.safeParse(frame).error, JSON.stringify(frame)).toBeUndefined()
    const verdicts = open.map(({ verdict }) => verdict)
    const lost = await missing(verdicts)
    expect(answersIn(heard), shown(batch)).toEqual(expectedAnswers(verdicts, lost))
    await witnessed()
    if (!closing) return
    client.ws.send(closing.frame.bytes, { binary: false })
    expect((await client.closed).code).toBe((closing.verdict as { code: number }).code)
  }

  /** Everything that was said up to the answer to the last of several frames, each sent after the answer to the other. */
  async function untilQuiet(client: Client): Promise<Frame[]> {
    const heard: Frame[] = []
    for (let n = 0; n < FENCES; n++) {
      const { frame, isAnswer } = dialect.fence(++names)
      heard.push(...(await told(client, String(wholeFrame(frame).bytes), isAnswer)).slice(0, -1))
    }
    return heard
  }

  /** The settlements that another frame was faster with. Everything else must be there, and nothing more. */
  async function missing(verdicts: Judgement[]): Promise<number> {
    const effects = verdicts.flatMap((verdict) => (verdict.outcome === 'done' && verdict.effect) || [])
    // Words answer what is open where they are said, and may take a question from a frame that names it.
    const loose = effects.some(({ kind }) => kind === 'words')
    const name = ({ kind, conversation = OWN, text }: Effect) =>
      JSON.stringify([loose ? 'words' : kind, isNamedAfter(OWN, conversation) ? OWN : conversation, text])
    const left = effects
      .map((effect) => ({ name: name(effect), mayMiss: loose && effect.kind === 'settlement' }))
      // Of two with the same words, what must be there is what was found.
      .sort((a, b) => Number(a.mayMiss) - Number(b.mayMiss))
    for (const entry of await appended()) {
      const found = left.findIndex((effect) => effect.name === name(entry))
      expect(found, `nobody asked for ${JSON.stringify(entry)}`).not.toBe(-1)
      left.splice(found, 1)
    }
    expect(left.filter(({ mayMiss }) => !mayMiss)).toEqual([])
    return left.length
  }

  async function appended(): Promise<Effect[]> {
    const { entries } = await view.page(undefined, { after: cursor, limit: 10 * BATCH })
    return entries.map(effectOf).filter(({ text }) => !text.startsWith('fence'))
  }

  /** A client that does nothing wrong is served as if nothing had happened. */
  async function witnessed() {
    if (dialect === FUZZED.timeline) {
      const key = `witness ${++names}`
      const post = { type: 'post', key, conversation: 'witness', text: 'Still there?' }
      await told(witness, post, (frame) => frame.type === 'accepted' && frame.key === key)
    } else if (dialect === FUZZED.loop) {
      const message = `witness ${++names}`
      await told(witness, { type: 'chat', message, session_id: 'witness' }, (frame) => frame.message === message)
    } else {
      const id = await ask(view, { by: 'bob', text: `Still there ${++names}?` }, 'witness')
      const reply = dialect === FUZZED.router ? 'answer' : 'message'
      const type = dialect === FUZZED.router ? 'user_response' : 'ack'
      witness.say({ type, id, [reply]: 'Yes' })
      expect((await view.agentService().outcome(id, new AbortController().signal)).body.reply).toBe('Yes')
    }
  }

  function answersIn(heard: Frame[]) {
    // That nobody answers what was said is no refusal of it.
    const answers = heard.filter(dialect.answers).filter(({ error }) => error !== UNANSWERED.no_runner)
    for (const { error } of answers)
      if (error !== undefined) expect(error).toMatch(/^(?!Something went wrong)[A-Z"].{5,400}$/s)
    return answers.map(({ type, key }) => `${type} ${key ?? ''}`).sort()
  }

  function expectedAnswers(verdicts: Judgement[], lost: number) {
    const refusal = dialect === FUZZED.timeline ? 'refused' : 'error'
    const answers = verdicts.flatMap((verdict) => {
      if (verdict.outcome === 'refused') return `${refusal} ${dialect === FUZZED.timeline ? (verdict.key ?? '') : ''}`
      if (verdict.outcome !== 'done' || !verdict.answer) return []
      return `${verdict.answer.type} ${verdict.answer.key ?? ''}`
    })
    return [...answers, ...Array.from({ length: lost }, () => 'error ')].sort()
  }
}

function shown(batch: { frame: RawFrame; verdict: Judgement }[]): string {
  return batch.map(({ frame, verdict }) => `${verdict.outcome} ${String(frame.bytes).slice(0, 120)}`).join('\n')
}

/** All frames up to the one that answers. */
async function told(client: Client, frame: unknown, isAnswer: (frame: Frame) => boolean): Promise<Frame[]> {
  client.say(frame)
  const heard: Frame[] = []
  do heard.push(await client.any())
  while (!isAnswer(heard.at(-1) as Frame))
  return heard
}

function effectOf({ conversation, body }: Entry): Effect {
  if (body.kind === 'message') return { kind: 'message', conversation, text: body.text }
  if (body.kind === 'title') return { kind: 'title', conversation, text: body.title }
  if (body.kind === 'settlement') return { kind: 'settlement', conversation, text: body.reply ?? '' }
  throw new Error(`A ${body.kind} that nobody asked for`)
}

import { expect, test } from 'vitest'
import type { Catalogue, LaunchableAgent } from '../../../src/protocol/frames/launching.ts'
import { folderName } from '../../../src/protocol/look.ts'
import type { Request } from '../state/hub/link.svelte.ts'
import { folderIn } from '../text/folder-in.ts'
import { Launching } from './launching.svelte.ts'

const CLAUDE: LaunchableAgent = {
  id: 'claude',
  name: 'Claude Code',
  state: 'needs_adapter',
  adapter: { package: 'claude-agent-acp', version: '1.2.3' },
}
const CATALOGUE: Catalogue = {
  agents: [CLAUDE],
  recent: [],
  roots: ['/home/ada'],
  commands: { connect: '', demo: '' },
  arrived: [],
}

function begun() {
  const sent: Request[] = []
  const launching = new Launching((request) => void sent.push(request))
  launching.take({ type: 'catalogue', ...CATALOGUE })
  return { launching, sent, keyOf: (place: number) => sent[place]?.key ?? '' }
}

test('[U314] an adapter is allowed once, in the version that was shown', () => {
  const { launching, sent, keyOf } = begun()
  launching.allow(CLAUDE)
  launching.allow(CLAUDE)
  expect(sent).toEqual([{ type: 'allow_adapter', key: keyOf(0), agent: 'claude', version: '1.2.3' }])
  // What others changed meanwhile is no answer.
  launching.take({ type: 'catalogue', ...CATALOGUE })
  expect(launching.isFetching('claude')).toBe(true)
  launching.take({ type: 'catalogue', key: keyOf(0), ...CATALOGUE })
  expect(launching.isFetching('claude')).toBe(false)
})

test('[U314] one that could not be fetched says why, and can be allowed again', () => {
  const { launching, sent, keyOf } = begun()
  launching.allow(CLAUDE)
  expect(launching.refuse('other', 'No')).toBe(false)
  expect(launching.refuse(keyOf(0), 'It could not be fetched')).toBe(true)
  expect(launching.unfetched).toEqual({ agent: 'claude', problem: 'It could not be fetched' })
  launching.allow(CLAUDE)
  expect([launching.unfetched, sent.length]).toEqual([undefined, 2])
})

test('[U314] what another page allowed is not asked for again', () => {
  const { launching, sent } = begun()
  const agents = [{ ...CLAUDE, adapter: { package: 'claude-agent-acp', version: '1.2.3', fetching: true as const } }]
  launching.take({ type: 'catalogue', ...CATALOGUE, agents })
  launching.allow(CLAUDE)
  expect(sent).toEqual([])
})

test('[U315] only the folder that was asked for last is shown, and its pages one after the other', () => {
  const { launching, sent, keyOf } = begun()
  launching.browse()
  launching.browse('/home/ada/web')
  const page = { folder: '/home/ada/web', parent: '/home/ada', names: ['a', 'b'], has_more: true }
  launching.take({ type: 'folders', key: keyOf(0), folder: '/home/ada', names: ['web'], has_more: false })
  expect(launching.page).toBeUndefined()
  launching.take({ type: 'folders', key: keyOf(1), ...page })
  launching.more()
  expect(sent[2]).toMatchObject({ folder: '/home/ada/web', after: 'b' })
  launching.take({ type: 'folders', key: keyOf(2), ...page, names: ['c'], has_more: false })
  expect(launching.page).toEqual({ ...page, names: ['a', 'b', 'c'], has_more: false })
  launching.browse('/etc')
  expect(launching.refuse(keyOf(3), 'Not there')).toBe(true)
  expect([launching.problem, launching.page?.folder]).toEqual(['Not there', '/home/ada/web'])
})

test('[U315] folders are named and joined as on the machine of the hub', () => {
  expect(['/home/ada/web', '/', 'C:\\work\\'].map(folderName)).toEqual(['web', '/', 'work'])
  expect([folderIn('/', 'a'), folderIn('/b', 'a'), folderIn('C:\\', 'a'), folderIn('C:\\b', 'a')]).toEqual([
    '/a',
    '/b/a',
    'C:\\a',
    'C:\\b\\a',
  ])
})

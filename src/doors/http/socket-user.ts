import { open } from 'node:fs/promises'
import { type AddressInfo, isIPv4, type Socket } from 'node:net'
import { endianness } from 'node:os'
import { ignoring } from '../../io/system-error.ts'

interface SocketUserParts {
  /** The kernel's tables of connections: those of IPv4, and those of IPv6. */
  tables?: readonly [string, string]
}

/** The part of a socket that says which connection it is. */
export type Ends = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>

export type ListenAddress = Pick<AddressInfo, 'address' | 'port'>

interface Asked {
  /** The other program's end, as the tables write it. */
  keys: string[]
  tries: number
  resolve(user: number | undefined): void
  reject(error: unknown): void
}

const CHUNK_BYTES = 64 * 1024
/** A table that changes while it is read may leave somebody out. */
const TRIES = 3
const MAPPED = [...Array<number>(10).fill(0), 0xff, 0xff]

/**
 * Asks Linux whose socket is at the other end of a connection within this machine. Whoever asks while a table is read
 * waits for the next reading together with all others, so that a crowd costs two readings, and no reading holds up
 * anything else.
 */
export function createSocketUsers({ tables = ['/proc/net/tcp', '/proc/net/tcp6'] }: SocketUserParts = {}) {
  const waiting: Asked[] = []
  let isReading = false
  return { userOf, listenerAt }

  /** Nobody where the other end is not there any more, or is not listed. */
  function userOf({ remoteAddress, remotePort = 0, localAddress, localPort = 0 }: Ends): Promise<number | undefined> {
    // It is gone already.
    if (remoteAddress === undefined || localAddress === undefined) return Promise.resolve(undefined)
    return find(keysOf([remoteAddress, remotePort], [localAddress, localPort]))
  }

  /** The user that listens at an address: always somebody at one of our own, unless the tables are of no use here. */
  function listenerAt({ address, port }: ListenAddress): Promise<number | undefined> {
    return find(keysOf([address, port], [isIPv4(address) ? '0.0.0.0' : '::', 0]))
  }

  function find(keys: string[]): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      waiting.push({ keys, tries: 0, resolve, reject })
      if (!isReading) void readOn()
    })
  }

  async function readOn() {
    isReading = true
    while (waiting.length > 0) await read(waiting.splice(0))
    isReading = false
  }

  async function read(asked: Asked[]) {
    /** Several may ask for the same. */
    const open = new Map<string, Asked[]>()
    for (const one of asked) for (const key of one.keys) open.set(key, [...(open.get(key) ?? []), one])
    try {
      for (const table of tables) await search(table, open)
    } catch (error) {
      for (const { reject } of asked) reject(error)
      return
    }
    for (const one of new Set([...open.values()].flat()))
      if (++one.tries < TRIES) waiting.push(one)
      else one.resolve(undefined)
  }
}

/** Answers whom it can, and takes them off. */
async function search(table: string, asked: Map<string, Asked[]>) {
  if (asked.size === 0) return
  await using file = await openTable(table)
  if (!file) return
  const buffer = Buffer.alloc(CHUNK_BYTES)
  let rest = ''
  while (asked.size > 0) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, null)
    if (bytesRead === 0) return
    const lines = (rest + buffer.toString('latin1', 0, bytesRead)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      // There may be many thousands of them: only those that somebody asked for are taken apart.
      const from = line.indexOf(': ') + 2
      const to = line.indexOf(' ', line.indexOf(' ', from) + 1)
      const those = asked.get(line.slice(from, to))
      if (!those) continue
      const [, , , , , user, , inode] = line.slice(to).split(/ +/, 8)
      // A socket that its program has closed belongs to nobody, and is listed as if it were root's.
      if (inode === '0') continue
      for (const { keys, resolve } of those) {
        for (const key of keys) asked.delete(key)
        resolve(Number(user))
      }
    }
  }
}

/** A system without IPv6 has no table of it, and some have none at all. */
async function openTable(table: string) {
  return open(table).catch(ignoring('ENOENT', 'EACCES'))
}

type End = [address: string, port: number]

/** A socket of IPv6 can be at the other end of a connection of IPv4, too. */
function keysOf(own: End, other: End): string[] {
  const written = (prefix: number[]) =>
    [own, other].map(([address, port]) => `${hexOf([...prefix, ...bytesOf(address)])}:${hex(port, 4)}`).join(' ')
  return isIPv4(own[0]) ? [written([]), written(MAPPED)] : [written([])]
}

function bytesOf(address: string): number[] {
  if (isIPv4(address)) return address.split('.').map(Number)
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const [first, last] = [groupsIn(head), groupsIn(tail ?? '')]
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length
  return [...first, ...Array<number>(Math.max(zeros, 0)).fill(0), ...last].flatMap((group) => [
    group >> 8,
    group & 0xff,
  ])
}

function groupsIn(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}

/** An address is written in words of four bytes, each as this machine keeps it. */
function hexOf(bytes: number[]): string {
  const words = Array.from({ length: bytes.length / 4 }, (_, at) => bytes.slice(at * 4, at * 4 + 4))
  return words
    .flatMap((word) => (endianness() === 'LE' ? word.toReversed() : word))
    .map((byte) => hex(byte, 2))
    .join('')
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0')
}

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { ignoring } from '../../io/system-error.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { createSocketUsers, type ListenAddress } from './socket-user.ts'

/** Facts about the hub that are known only once it is open. */
export interface House {
  /** Whether everybody has to show who they are. */
  asksForTokens(): boolean
  /** Says no before there is a request. */
  refuse(socket: Socket, error: ParleyError): void
}

interface PeerCheckParts {
  house: Promise<House>
  /** The address at which the hub listens for as long as it is there. */
  place: Promise<ListenAddress>
}

const ROOT = 0
/** How Linux names everybody whom the namespace of this process does not have. */
const NOBODY = 65_534
/** An answer that comes before the request gets lost on its way. */
const FIRST_WORDS_MS = 1000

/**
 * Stands before what listens where every user of this machine can connect: only programs of the hub's own user and of
 * root come through to it, or anybody where tokens decide. Only Linux says whose a connection is, once for each.
 */
export function createPeerCheck({ house, place }: PeerCheckParts) {
  const users = createSocketUsers()
  let isListed = false
  const own = process.geteuid?.()
  const known = new WeakSet<object>()
  const waiting = new Set<Socket>()
  const looking = new Set<Promise<unknown>>()
  let opened: House | undefined
  void house.then((there) => {
    opened = there
  })
  return {
    standBefore,
    vouchFor: (socket: Socket) => void known.add(socket),
    mustBeKnown,
    /** Resolves when it is known of everybody who came so far who they are. */
    looked: () => Promise.all(looking),
    close,
  }

  function standBefore(server: Server) {
    const [parse] = server.listeners('connection')
    server.removeAllListeners('connection')
    server.on('connection', async (socket: Socket) => {
      if (known.has(socket) || opened?.asksForTokens()) return letIn()
      waiting.add(socket)
      // A client that breaks off before anybody listens to it must not end the hub.
      socket.on('error', () => socket.destroy())
      socket.once('close', () => waiting.delete(socket))
      const look = strangerAt(socket)
      looking.add(look)
      const stranger = await look
      looking.delete(look)
      if (!stranger) {
        known.add(socket)
        return letIn()
      }
      const { asksForTokens, refuse } = await house
      if (asksForTokens()) return letIn()
      await firstWordsOf(socket)
      if (!socket.destroyed) refuse(socket, stranger)

      function letIn() {
        waiting.delete(socket)
        // It has closed, or was only a try.
        if (!server.listening) socket.destroy()
        else if (!socket.destroyed) parse?.call(server, socket)
      }
    })
  }

  /** Why the other end of this connection may not come in without a token. */
  async function strangerAt(socket: Socket): Promise<ParleyError | undefined> {
    const user = await userAt(socket)
    if ((user === own && user !== NOBODY) || user === ROOT || user === 'untold') return undefined
    return new ParleyError('other_user', { who: user === undefined ? 'nobody that the system names' : `user ${user}` })
  }

  async function userAt(socket: Socket): Promise<number | 'untold' | undefined> {
    if (process.platform !== 'linux') return 'untold'
    // Too many files may be open, for example: that must open nothing.
    const found = await Promise.all([users.userOf(socket), systemTells()]).catch(ignoring())
    if (!found) return undefined
    const [user, canTell] = found
    return canTell ? user : 'untold'
  }

  /** A system that does not list even the hub's own sockets cannot tell anybody apart. */
  async function systemTells(): Promise<boolean> {
    // The system is asked once for all: a hub that closes is no longer listed.
    if (!isListed) isListed = (await users.listenerAt(await place)) !== undefined
    return isListed
  }

  /** Looks now at who was let in because of tokens that are gone since. Nothing where there is nothing to wait for. */
  function mustBeKnown(socket: Socket): Promise<void> | undefined {
    return known.has(socket) || opened?.asksForTokens() ? undefined : lookAt(socket)
  }

  async function lookAt(socket: Socket) {
    const stranger = await strangerAt(socket)
    if (stranger) throw stranger
    known.add(socket)
  }

  function close() {
    for (const socket of waiting) socket.destroy()
  }
}

function firstWordsOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const patience = setTimeout(resolve, FIRST_WORDS_MS)
    const said = () => {
      clearTimeout(patience)
      resolve()
    }
    socket.once('data', said)
    socket.once('close', said)
  })
}

import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { DEVICE_END_PATH, DEVICE_NAME_PATH, DEVICES_PATH, DeviceEnd, DeviceName } from '../../../protocol/devices.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import { parse, parseJson } from '../../../protocol/parse.ts'
import type { Principal } from '../../../protocol/principal.ts'
import { type Access, keyIn } from '../access/access.ts'
import { cookieIn } from '../access/cookie.ts'
import type { Refusals } from '../refusals.ts'

interface DeviceRouteParts {
  devices: Access['devices']
  /** Lets a person in, or throws why not. */
  admit(env: HttpBindings): Principal
  refuse: Refusals
  /** A browser signed out; what it has open must end. */
  signedOut(): void
}

const MOST_BYTES = 4096

/** The browsers that are signed in as whoever asks, the name of this one, and the end of any of them. */
export function deviceRoutes({ devices, admit, refuse, signedOut }: DeviceRouteParts) {
  const small = bodyLimit({ maxSize: MOST_BYTES, onError: () => refuse.rest(new ParleyError('too_large')) })
  return new Hono<{ Bindings: HttpBindings }>()
    .get(DEVICES_PATH, ({ env }) => {
      admit(env)
      return unkept({ devices: devices.list(...shown(env)) })
    })
    .post(DEVICE_NAME_PATH, small, async ({ req, env }) => {
      admit(env)
      await devices.rename(...shown(env), parse(DeviceName, parseJson(await req.text())).name)
      return unkept({ devices: devices.list(...shown(env)) })
    })
    .post(DEVICE_END_PATH, small, async ({ req, env }) => {
      admit(env)
      await devices.end(...shown(env), parse(DeviceEnd, parseJson(await req.text())).id)
      const left = devices.list(...shown(env))
      signedOut()
      return unkept({ devices: left })
    })
    .onError(refuse.rest)
}

function shown({ incoming: { headers } }: HttpBindings) {
  return [cookieIn(headers.cookie), keyIn(headers)] as const
}

function unkept(answer: object): Response {
  return Response.json(answer, { headers: { 'cache-control': 'no-store' } })
}

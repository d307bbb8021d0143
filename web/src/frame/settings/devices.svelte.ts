import * as z from 'zod/mini'
import { DEVICE_END_PATH, DEVICE_NAME_PATH, DEVICES_PATH, Device } from '../../../../src/protocol/devices.ts'
import { post, Refused } from '../../gateway/call.ts'
import { keyHeader } from '../../state/hub/page-key.ts'

const Listed = z.object({ devices: z.array(Device) })

/** The devices that are signed in as this person; none where nobody signs in. */
export class Devices {
  list = $state.raw<Device[]>([])
  problem = $state('')

  load() {
    return this.#take(async () => {
      const response = await fetch(DEVICES_PATH, { headers: [keyHeader()] })
      return response.ok ? response.json() : { devices: [] }
    })
  }

  rename(name: string) {
    return this.#take(() => post(DEVICE_NAME_PATH, { name }))
  }

  end(id: string) {
    return this.#take(() => post(DEVICE_END_PATH, { id }))
  }

  /** The page then says itself that it is signed out. */
  async signOut() {
    await this.#trying(() => fetch('/sign-out', { method: 'POST', headers: [keyHeader()] }))
  }

  #take(asked: () => Promise<unknown>) {
    return this.#trying(async () => {
      this.list = Listed.parse(await asked()).devices
    })
  }

  async #trying(act: () => Promise<unknown>) {
    this.problem = ''
    try {
      await act()
    } catch (error) {
      if (!(error instanceof Refused || error instanceof TypeError)) throw error
      this.problem = error instanceof Refused ? error.message : 'Offline'
    }
  }
}

import * as z from 'zod/mini'

export const DEVICES_PATH = '/api/devices'
export const DEVICE_NAME_PATH = `${DEVICES_PATH}/name`
export const DEVICE_END_PATH = `${DEVICES_PATH}/end`
export const LONGEST_DEVICE_NAME = 60

/** A browser that is signed in as the person who asks. */
export const Device = z.object({
  id: z.string(),
  /** Empty of one that signed in before devices had names. */
  name: z.string(),
  signed_in_at: z.string(),
  expires_at: z.string(),
  /** The one that asks. */
  is_this: z.boolean(),
})
export type Device = z.infer<typeof Device>

export const DeviceName = z.object({
  name: z
    .string('must be text')
    .check(
      z.trim(),
      z.minLength(1, 'must not be empty'),
      z.maxLength(LONGEST_DEVICE_NAME, `is longer than ${LONGEST_DEVICE_NAME} characters`),
      z.regex(/^\P{Cc}*$/u, 'must not hold control characters'),
    ),
})

export const DeviceEnd = z.object({ id: z.string('must be text') })

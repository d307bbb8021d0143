import { expect, test } from 'vitest'
import { deviceNameFrom } from './device-name.ts'

const ENGINE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${ENGINE} Chrome/140.0.0.0 Safari/537.36 Edg/140.0`, 'Edge on Windows'],
  [`Mozilla/5.0 (Linux; Android 15; Pixel 9) ${ENGINE} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${ENGINE} Version/18.0 Safari/604.1`, 'Safari on iPhone'],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${ENGINE} Version/18.0 Safari/605.1.15`, 'Safari on Mac'],
  ['curl/8.5.0', 'Browser'],
  [undefined, 'Browser'],
])('[S230] what a browser says of itself names its device: %s', (userAgent, name) => {
  expect(deviceNameFrom(userAgent)).toBe(name)
})

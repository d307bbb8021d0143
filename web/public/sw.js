// Keeps the files of the page, so that it opens without its hub and says so. The build writes its own into SHELL, which
// makes each build another worker.
const SHELL = { version: '', files: ['/'] }
const NAME = 'parley-'
const CACHE = NAME + SHELL.version

addEventListener('install', (event) => event.waitUntil(keep()))
addEventListener('activate', (event) => event.waitUntil(takeOver()))
addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request
  const { origin, pathname } = new URL(url)
  // Signing in and everything that is said go straight to the hub.
  if (method !== 'GET' || origin !== location.origin || !SHELL.files.includes(pathname)) return
  if (mode === 'navigate' && pathname !== '/') return
  event.respondWith(pathname.startsWith('/assets/') ? kept(event.request) : fresh(event.request))
})
addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(show(event.notification.data))
})

async function keep() {
  const cache = await caches.open(CACHE)
  // The name of an asset changes with its content; everything else must not come from an older cache.
  const requests = SHELL.files.map(
    (file) => new Request(file, { cache: file.startsWith('/assets/') ? 'default' : 'no-cache' }),
  )
  await cache.addAll(requests)
  await skipWaiting()
}

async function takeOver() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith(NAME) && name !== CACHE).map((name) => caches.delete(name)))
  await clients.claim()
}

async function kept(request) {
  return (await found(request)) ?? fetch(request)
}

/** A hub that answers is always asked: after an update nobody may see the page of before. */
async function fresh(request) {
  try {
    return await fetch(request)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const shell = await found(request)
    if (!shell) throw error
    return shell
  }
}

async function found(request) {
  return (await caches.open(CACHE)).match(request, { ignoreSearch: true, ignoreVary: true })
}

async function show(address) {
  const [page] = await clients.matchAll({ type: 'window' })
  if (!page) return clients.openWindow(`/${address}`)
  await page.focus()
  await page.navigate(`/${address}`)
}

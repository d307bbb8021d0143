import { html } from 'hono/html'
import { PAGE_HEADERS } from './page.ts'

const HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy': PAGE_HEADERS['content-security-policy'].replace(
    "form-action 'none'",
    "form-action 'self'",
  ),
  // Browsers send the form with the origin "null" under `no-referrer`, which the guard refuses.
  'referrer-policy': 'strict-origin',
  'cache-control': 'no-store',
}

/** A page that stands alone, before or beside the real one. */
export async function smallPage(
  status: number,
  title: string,
  content: ReturnType<typeof html>,
  cookie?: string,
): Promise<Response> {
  const text = await html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/sign-in.css">
<script src="/theme.js"></script>
<script src="/sign-in.js" defer></script>
<main><img src="/favicon.svg" alt="" width="48" height="48"><h1>Parley</h1>${content}</main>
`
  const headers = new Headers({ 'content-type': 'text/html; charset=utf-8', ...HEADERS })
  if (cookie !== undefined) headers.set('set-cookie', cookie)
  return new Response(String(text), { status, headers })
}

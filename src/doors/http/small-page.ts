import { html } from 'hono/html'
import { ERRORS } from '../../protocol/errors.ts'
import { isRefusal } from '../../protocol/refusal.ts'
import { PAGE_HEADERS } from './page.ts'
import type { Refusals } from './refusals.ts'

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

/** Shows a refusal on such a page; every other error is a fault of the hub, and answered as one. */
export function refusalPage(title: string, refuse: Refusals) {
  return (error: Error): Promise<Response> | Response => {
    if (!isRefusal(error)) return refuse.call(error)
    return smallPage(ERRORS[error.code].http, title, html`<p>${error.message}.</p>`)
  }
}

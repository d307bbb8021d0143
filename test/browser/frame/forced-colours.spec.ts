import type { Locator } from '@playwright/test'
import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const say = (text: string): Body => ({ kind: 'message', author: 'assistant', by: 'agent', text })
const ask = (text: string): Body => ({ kind: 'question', by: 'agent', text })
const approve: Body = { ...ask('May I?'), approval: { tool_name: 'Bash', input: '{"command":"ls"}' } } as Body

/** What is left of a look when colours and fills are taken away. */
const lookOf = (part: Locator, pseudo?: string) =>
  part.evaluate((node, pseudo) => {
    const { borderWidth, borderStyle, borderRadius, borderColor, outlineStyle } = getComputedStyle(node, pseudo)
    return [borderWidth, borderStyle, borderRadius, borderWidth === '0px' ? '' : borderColor, outlineStyle].join(' | ')
  }, pseudo)

for (const look of few(
  [
    { width: 1440, height: 900, dark: true },
    { width: 820, height: 900 },
    { width: 390, height: 844, touch: true },
  ],
  13,
)) {
  test(`[U98] forced colours show states, the current conversation and what waits (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    await hub.recordAll({ done: [say('Bye')], work: [say('Hello'), ask('Which one?'), approve] })
    const chat = await visit('/#/c/work', look)
    await chat.page.emulateMedia({ forcedColors: 'active' })
    await expect(chat.dock).toBeVisible()
    const waits = chat.bubble('Which one?').locator('.bubble')
    expect(await lookOf(waits)).not.toBe(await lookOf(chat.bubble('Hello').locator('.bubble')))
    await expect(waits).toHaveCSS('border-left-width', '4px')
    await expect(chat.bubble('Waiting for you').last().locator('p')).toHaveCSS('border-left-width', '4px')
    await chat.composer.fill('Blue')
    await expect(chat.page.getByTitle('Change where this goes').locator('.chip')).toHaveCSS('border-top-width', '2px')

    if (look.width < 820) await chat.page.getByRole('button', { name: 'Show the conversations' }).click()
    const row = (name: string) => chat.list.getByRole('listitem').filter({ hasText: name })
    expect(await lookOf(row('work'))).not.toBe(await lookOf(row('done')))
    await expect(row('work')).toHaveCSS('outline-style', 'solid')
    for (const badge of await chat.list.locator('.badge').all())
      await expect(badge).not.toHaveCSS('border-top-width', '0px')
    expect(await violations(chat.page)).toEqual([])
  })
}

test('[U98] forced colours tell every state of an agent from every other', async ({ hub, visit }) => {
  await hub.record('work', [say('Hello')])
  const chat = await visit()
  await chat.page.emulateMedia({ forcedColors: 'active' })
  const dot = chat.page.locator('header .dot')
  const looks: string[] = []
  const states = ['working', 'waiting', 'backgrounded', 'gone']
  for (const state of states) {
    await dot.evaluate(
      ({ classList }, { states, state }) => {
        classList.remove(...states)
        classList.add(state)
      },
      { states, state },
    )
    looks.push(await lookOf(dot))
  }
  expect(new Set(looks).size).toBe(states.length)
})

test('[U98] forced colours show which switch is on and which choice is made', async ({ hub, visit }) => {
  await hub.record('work', [say('Hello')])
  const chat = await visit()
  await chat.page.emulateMedia({ forcedColors: 'active' })
  await chat.page.getByRole('button', { name: 'Settings' }).click()
  const sound = chat.page.getByRole('checkbox', { name: 'Play a sound' })
  const knob = () => lookOf(sound, '::before')
  const on = [await lookOf(sound), await knob()]
  await sound.uncheck()
  expect(await lookOf(sound)).not.toBe(on[0])
  expect(await knob()).not.toBe(on[1])
  const themes = chat.page.locator('label').filter({ has: chat.page.locator('input[name="theme"]') })
  expect(await lookOf(themes.nth(0))).not.toBe(await lookOf(themes.nth(1)))
  expect(await violations(chat.page)).toEqual([])
})

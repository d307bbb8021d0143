import { few } from '../support/few.ts'
import { expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const ARABIC = `## خطة النشر

1. شغّل \`npm test\` أولاً
2. Review the pull request
3. انشر الإصدار

- [x] تم الاختبار
- [ ] بقي النشر

> هذا اقتباس
>
> من رسالة سابقة

| الاسم | الحالة |
| --- | --- |
| الخادم | يعمل |
| cache | OK |

\`\`\`sh
npm run build
\`\`\``

const HEBREW = `- פריט ראשון

  המשך הפריט
- פריט שני
  - פריט פנימי

\`git push\` דוחף את השינויים`

const ENGLISH = '1. First\n2. ثانيا\n\n> Quote'

for (const look of few(
  [
    { width: 1440, height: 900 },
    { width: 820, height: 900, dark: true },
    { width: 390, height: 844, touch: true },
  ],
  26,
)) {
  test(`[U99] what is written from right to left is laid out so (${look.width} px)`, async ({ hub, visit }) => {
    await hub.report('work', [ENGLISH, HEBREW, ARABIC])
    const chat = await visit('/#/c/work', look)
    const arabic = chat.bubble('خطة النشر')
    await expect(arabic.getByRole('table')).toBeVisible()
    for (const list of await arabic.locator('ol, ul, blockquote, table').all()) {
      await expect(list).toHaveCSS('direction', 'rtl')
    }
    await expect(arabic.locator('ol')).toHaveCSS('padding-left', '0px')
    await expect(arabic.locator('ol')).not.toHaveCSS('padding-right', '0px')
    await expect(arabic.locator('blockquote')).toHaveCSS('border-right-width', '3px')
    await expect(arabic.locator('blockquote')).toHaveCSS('border-left-width', '0px')
    const [first, second] = await arabic.getByRole('columnheader').all()
    expect((await first?.boundingBox())?.x).toBeGreaterThan((await second?.boundingBox())?.x ?? Number.NaN)
    // English items keep to the side of their list.
    await expect(arabic.getByText('Review the pull request')).toHaveCSS('text-align', 'right')
    const edges = await arabic
      .locator('ul > li')
      .first()
      .evaluate((item) => {
        const text = document.createRange()
        text.selectNodeContents(item)
        const mark = item.querySelector('.task')?.getBoundingClientRect()
        return { mark: mark?.right ?? 0, text: text.getBoundingClientRect().right }
      })
    expect(Math.abs(edges.mark - edges.text)).toBeLessThan(2)
    for (const code of await arabic.locator('pre, code').all()) await expect(code).toHaveCSS('direction', 'ltr')

    const hebrew = chat.bubble('פריט ראשון')
    for (const list of await hebrew.locator('ul').all()) await expect(list).toHaveCSS('direction', 'rtl')
    await expect(hebrew.getByText('דוחף את השינויים')).toHaveCSS('direction', 'rtl')
    const english = chat.bubble('First')
    await expect(english.locator('ol')).toHaveCSS('direction', 'ltr')
    await expect(english.locator('li').last()).toHaveCSS('text-align', 'left')
    await expect(english.locator('blockquote')).toHaveCSS('border-left-width', '3px')

    await chat.composer.fill('مرحبا')
    await expect(chat.composer).toHaveCSS('direction', 'rtl')
    expect(await violations(chat.page)).toEqual([])
    if (look.width < 820) await chat.page.getByRole('button', { name: 'Show the conversations' }).click()
    await expect(chat.list.getByText('خطة النشر')).toHaveCSS('direction', 'rtl')
  })
}

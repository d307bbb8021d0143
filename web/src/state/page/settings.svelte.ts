import { SvelteMap } from 'svelte/reactivity'
import { COMPOSERS, type Composer } from '../../../../src/protocol/composer.ts'
import { keepIn } from '../hub/store.ts'
import { FILTERS, type Filter, GROUPINGS, type Grouping } from '../list/sections.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** `hub`: as the hub says. */
export const COMPOSER_CHOICES = ['hub', ...COMPOSERS] as const
type ComposerChoice = (typeof COMPOSER_CHOICES)[number]

/** How wide the sidebar can be, in rem. */
export const SIDE_REM = { least: 15, most: 32 }

const STORED_AS = 'parley.'
/** The occasions for notifications besides questions. */
export const OCCASIONS = ['errors', 'turns', 'gone'] as const
export type Occasion = (typeof OCCASIONS)[number]

const STANDARD = {
  theme: 'system',
  sound: 'on',
  notify: 'off',
  'notify-errors': 'off',
  'notify-turns': 'off',
  'notify-gone': 'off',
  offer: 'none',
  letters: 'on',
  composer: 'hub',
  side: '',
  grouping: 'state',
  filter: 'all',
}
type Setting = keyof typeof STANDARD

/** How the person wants this browser to behave. `web/public/theme.js` reads theme and sidebar too, before anything is drawn. */
export class Settings {
  readonly #store: Pick<Storage, 'getItem' | 'setItem'>
  readonly #values = new SvelteMap<Setting, string>()

  constructor(store: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#store = store
    this.read()
  }

  /** Reads again when another tab changed something. */
  read() {
    for (const name of Object.keys(STANDARD) as Setting[]) {
      this.#values.set(name, this.#store.getItem(STORED_AS + name) ?? STANDARD[name])
    }
  }

  get theme(): Theme {
    return THEMES.find((theme) => theme === this.#values.get('theme')) ?? 'system'
  }

  set theme(theme: Theme) {
    this.#keep('theme', theme)
  }

  nextTheme() {
    this.theme = THEMES[(THEMES.indexOf(this.theme) + 1) % THEMES.length] ?? 'system'
  }

  get sound(): boolean {
    return this.#values.get('sound') === 'on'
  }

  set sound(on: boolean) {
    this.#keep('sound', on ? 'on' : 'off')
  }

  /** The browser has to allow it too. */
  get notify(): boolean {
    return this.#values.get('notify') === 'on'
  }

  set notify(on: boolean) {
    this.#keep('notify', on ? 'on' : 'off')
    this.#keep('offer', 'answered')
  }

  /** Whether notifications tell of this too. */
  notifiesOf(occasion: Occasion): boolean {
    return this.notify && this.#values.get(`notify-${occasion}`) === 'on'
  }

  notifyOf(occasion: Occasion, on: boolean) {
    this.#keep(`notify-${occasion}`, on ? 'on' : 'off')
  }

  /** Whether the person is to be asked about notifications: since they missed a question, until they gave any answer. */
  get offer(): boolean {
    return this.#values.get('offer') === 'open'
  }

  missedQuestion() {
    if (this.#values.get('offer') === 'none') this.#keep('offer', 'open')
  }

  /** Shortcuts of one letter, which people who speak to their computer want to be without. */
  get letters(): boolean {
    return this.#values.get('letters') === 'on'
  }

  set letters(on: boolean) {
    this.#keep('letters', on ? 'on' : 'off')
  }

  get composer(): ComposerChoice {
    return COMPOSER_CHOICES.find((choice) => choice === this.#values.get('composer')) ?? 'hub'
  }

  set composer(choice: ComposerChoice) {
    this.#keep('composer', choice)
  }

  /** The width of the sidebar in rem, if the person has made it another one. */
  get side(): number | undefined {
    const rem = Number(this.#values.get('side') || undefined)
    return rem >= SIDE_REM.least && rem <= SIDE_REM.most ? rem : undefined
  }

  set side(rem: number | undefined) {
    const bounded = rem === undefined ? '' : Math.min(SIDE_REM.most, Math.max(SIDE_REM.least, rem)).toFixed(2)
    this.#keep('side', bounded)
  }

  get grouping(): Grouping {
    return GROUPINGS.find((grouping) => grouping === this.#values.get('grouping')) ?? 'state'
  }

  set grouping(grouping: Grouping) {
    this.#keep('grouping', grouping)
  }

  get filter(): Filter {
    return FILTERS.find((filter) => filter === this.#values.get('filter')) ?? 'all'
  }

  set filter(filter: Filter) {
    this.#keep('filter', filter)
  }

  /** The times when people can write here, on a hub that says this. */
  composerOn(hub: Composer = 'always'): Composer {
    return this.composer === 'hub' ? hub : this.composer
  }

  #keep(name: Setting, value: string) {
    this.#values.set(name, value)
    keepIn(this.#store, STORED_AS + name, value)
  }
}

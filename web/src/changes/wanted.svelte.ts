/** The conversation whose changes are to be seen: the header, a key or the end of a turn says so, and one place shows them. */
class Wanted {
  conversation = $state<string>()
}

export const wanted = new Wanted()

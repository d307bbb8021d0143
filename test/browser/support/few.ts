/** Of several looks the one whose turn it is, so that all of them are seen somewhere; `npm run soak` takes all. */
export function few<Look>(looks: readonly Look[], turn: number): readonly Look[] {
  return process.env.PARLEY_SOAK ? looks : looks.filter((_, place) => place === turn % looks.length)
}

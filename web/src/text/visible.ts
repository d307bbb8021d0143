/**
 * What draws nothing or turns the text around: what is read would not be what is allowed. The two that make one emoji of
 * several characters may do so.
 */
const HIDDEN =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d|(?<!\p{Emoji})\ufe0f|[[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\ufff9-\ufffb]--[\u200d\ufe0f]]/gv

/** Shows them as JSON would write them, so that JSON with them keeps its meaning. */
export function visible(text: string): string {
  return text.replace(HIDDEN, escaped)
}

function escaped(hidden: string): string {
  const units = Array.from({ length: hidden.length }, (_, at) => hidden.charCodeAt(at))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

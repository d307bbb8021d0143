/**
 * What draws nothing, or room alone, is drawn over something else or turns the text around: what is read would not be
 * what is allowed. The two that make one emoji of several characters may do so.
 */
const HIDDEN =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d|\u200d(?!\p{Extended_Pictographic})|(?<!\p{Extended_Pictographic}|[\d#*](?=\ufe0f\u20e3))\ufe0f|(?<=\p{Mn}{6})\p{Mn}|(?<=[\p{Zs}\u2800]{3})[[\p{Zs}\u2800]--[ ]]|[[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\ufff9-\ufffb]--[\t\n\u200d\ufe0f]]/gv

/** Shows them as JSON would write them, so that JSON with them keeps its meaning. */
export function visible(text: string): string {
  return text.replace(HIDDEN, escaped)
}

/** The same for what somebody says: letters of many scripts need their joiners. */
export function visibleWords(text: string): string {
  return text.replace(HIDDEN, (hidden) => (/[\u200c\u200d]/.test(hidden) ? hidden : escaped(hidden)))
}

function escaped(hidden: string): string {
  const units = Array.from({ length: hidden.length }, (_, at) => hidden.charCodeAt(at))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

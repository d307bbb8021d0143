import { PassThrough } from 'node:stream'
import { callInWords } from '../../../src/chat/approvals/call-in-words.ts'
import { titleFrom } from '../../../src/chat/driving/title-from.ts'
import { plainWords } from '../../../src/chat/reading/plain-words.ts'
import { textOf } from '../../../src/chat/reading/search-text.ts'
import { cookieIn } from '../../../src/doors/http/access/cookie.ts'
import { partIn } from '../../../src/doors/http/routes/part.ts'
import { textIn } from '../../../src/doors/mcp/tools/enclosures.ts'
import { safeHtml } from '../../../src/export/safe-html.ts'
import { inline, safeMarkdown } from '../../../src/export/safe-markdown.ts'
import { imageIn } from '../../../src/files/image-size.ts'
import { linkIn } from '../../../src/governance/audit/link.ts'
import { cleanText, visible as shownClean } from '../../../src/governance/gateway/clean-text.ts'
import { ownUri, plainOwner } from '../../../src/governance/gateway/names.ts'
import { createValueCount } from '../../../src/governance/gateway/upstream/value-count.ts'
import { parseJsonc, placesIn } from '../../../src/governance/policy/file/jsonc.ts'
import { compileGlob } from '../../../src/governance/policy/matching/glob.ts'
import { compilePathGlob } from '../../../src/governance/policy/matching/path-glob.ts'
import { stepsOf } from '../../../src/governance/policy/matching/real-path.ts'
import { isNull, numbersIn, textsIn, truthIn } from '../../../src/governance/policy/meanings.ts'
import { readLines, linesInBytes as readMountedLines } from '../../../src/io/lines.ts'
import { fold, wordsOf } from '../../../src/log/search/search-words.ts'
import { snippetOf } from '../../../src/log/search/snippet.ts'
import { agentNames, humanName } from '../../../src/protocol/entries/agent-name.ts'
import { FileMime, FileName, hashInUri, plainName } from '../../../src/protocol/entries/attachment.ts'
import { saidIn } from '../../../src/protocol/entries/content.ts'
import { conversationIn } from '../../../src/protocol/frames/inbox.ts'
import { FromLine } from '../../../src/protocol/frames/link.ts'
import { offeredIn } from '../../../src/protocol/frames/subprotocols.ts'
import { TimelineCommand } from '../../../src/protocol/frames/timeline-command.ts'
import { noOriginIn, originsIn } from '../../../src/protocol/origin.ts'
import { parseFrame } from '../../../src/protocol/parse.ts'
import { maskedText, unmasked } from '../../../src/protocol/secrets/masking.ts'
import { secretsIn } from '../../../src/protocol/secrets/secret-shapes.ts'
import { commandWords } from '../../../src/protocol/text/command-words.ts'
import { partsOf } from '../../../src/protocol/text/fences.ts'
import { tokensOf } from '../../../src/protocol/text/markdown.ts'
import { isTooDeep } from '../../../src/protocol/text/nesting.ts'
import { isNewer } from '../../../src/protocol/text/newer.ts'
import { percentDecoded } from '../../../src/protocol/text/percent-decoded.ts'
import { prettyJson } from '../../../src/protocol/text/pretty-json.ts'
import { isTame } from '../../../src/protocol/text/tame.ts'
import { Mime, Name, Text } from '../../../src/protocol/text/text.ts'
import { visible, visibleWords } from '../../../src/protocol/text/visible.ts'
import { alwaysCommand, inputIn } from '../../../src/protocol/tools/always-command.ts'
import { commandOffer, surelyBegins, wordsOfStart } from '../../../src/protocol/tools/command-start.ts'
import { targetOf } from '../../../src/protocol/tools/target.ts'
import { argumentsOf, membersOf } from '../../../web/src/text/changes/arguments.ts'
import { beginsPatch, changesIn, isPatch } from '../../../web/src/text/changes/changes.ts'
import { editsIn } from '../../../web/src/text/changes/edits.ts'
import { fieldsOf, joined } from '../../../web/src/text/changes/fields.ts'
import { readingOf } from '../../../web/src/text/changes/reading.ts'
import { withGaps } from '../../../web/src/text/code/blanks.ts'
import { quoted } from '../../../web/src/text/markdown/quote.ts'
import { rawPieces } from '../../../web/src/text/markdown/raw-tags.ts'

/** What Node itself lets in of all headers together. */
const HEADER = 16 * 1024
const PROSE = 1024 * 1024

export interface Parser {
  /** The longest that ever comes to it; what is longer is refused before. */
  most: number
  read(text: string): unknown
}

/** Everything of ours that reads what others wrote, wherever that comes from. */
export const PARSERS: Record<string, Parser> = {
  // Files
  'the sides of an image': { most: 256 * 1024, read: (text) => imageIn(Buffer.from(text, 'latin1')) },
  'the text of a file': { most: PROSE, read: (text) => textIn(Buffer.from(text)) },
  'the name of a file': { most: HEADER, read: (text) => [FileName.safeParse(text), plainName(text)] },
  'the type of a file': { most: HEADER, read: (text) => [FileMime.safeParse(text), Mime.safeParse(text)] },
  // Addresses and headers
  'a part of a file': { most: HEADER, read: (text) => quietly(() => partIn(text, 1000)) },
  'a cookie': { most: HEADER, read: cookieIn },
  'what a WebSocket offers': { most: HEADER, read: offeredIn },
  'an origin': { most: HEADER, read: (text) => [originsIn(text), noOriginIn(text)] },
  'an address of a resource': {
    most: PROSE,
    read: (text) => [conversationIn(`ui://chat/inbox/${text}`), hashInUri(text), ownUri(text), percentDecoded(text)],
  },
  'the name of a mounted tool': { most: PROSE, read: (text) => plainOwner(text, ['tools', 'a', text.slice(0, 5)]) },
  'the name of a client': { most: 200, read: (text) => [humanName(text), agentNames(text)] },
  'a version': { most: 50, read: (text) => isNewer(text, '1.2.3') },
  // Frames and messages
  'a frame of the page': { most: PROSE, read: (text) => quietly(() => parseFrame(TimelineCommand, text)) },
  'a frame of a line': { most: PROSE, read: (text) => quietly(() => parseFrame(FromLine, text)) },
  'lines of the socket': { most: PROSE, read: (text) => bySocket(text) },
  'lines of a mounted server': { most: PROSE, read: byServer },
  'how much JSON there is': { most: PROSE, read: (text) => createValueCount().take(Buffer.from(text)) },
  'how deep JSON is': { most: PROSE, read: (text) => quietly(() => isTooDeep(JSON.parse(text))) },
  'a name and a text': { most: PROSE, read: (text) => [Name.safeParse(text), Text.safeParse(text)] },
  'what somebody posts': { most: PROSE, read: (text) => saidIn({ mime: 'application/json', content: text }) },
  'a link of the audit': { most: PROSE, read: (text) => quietly(() => linkIn(text)) },
  // What is masked
  'secrets in a text': { most: PROSE, read: secretsIn },
  'a masked text': { most: PROSE, read: maskedText },
  'what was masked': { most: PROSE, read: (text) => unmasked(`${text}[masked]`, text) },
  // Calls
  'words of a command': { most: PROSE, read: commandWords },
  'the start of a command': {
    most: PROSE,
    read: (text) => [wordsOfStart(text), commandOffer({ command: text }), surelyBegins(text, ['git', 'push'])],
  },
  'what is always allowed': { most: PROSE, read: (text) => alwaysCommand({ command: text }) },
  'arguments of a call': { most: PROSE, read: (text) => [inputIn(text), prettyJson(text), targetOf(text)] },
  'a call in words': { most: PROSE, read: (input) => callInWords({ tool_name: 'Bash', input }) },
  'meanings of an argument': {
    most: PROSE,
    read: (text) => [numbersIn(text), textsIn(text), truthIn(text), isNull(text)],
  },
  'steps of a path': { most: 8192, read: stepsOf },
  // Rules; the patterns are people's, what they are held against is not.
  'a text that a glob may fit': { most: PROSE, read: (text) => GLOBS.map(({ fits }) => fits(text)) },
  'a path that a glob may fit': {
    most: 8192,
    read: (text) => PATHS.map((glob) => glob.perhaps([readingAt(text)], NOWHERE)),
  },
  'a pattern': { most: 1000, read: (text) => quietly(() => compileGlob(text).fits(text.repeat(10))) },
  'a file of rules': { most: PROSE, read: (text) => quietly(() => parseJsonc(text)) },
  'a place in a file': { most: PROSE, read: (text) => placesIn(text)(text.length) },
  // Words
  'Markdown that is drawn': { most: PROSE, read: tokensOf },
  'Markdown that is exported as HTML': { most: PROSE, read: safeHtml },
  'Markdown that is exported': { most: PROSE, read: (text) => [safeMarkdown(text), inline(text)] },
  'code in Markdown': { most: PROSE, read: partsOf },
  'whether Markdown is tame': { most: PROSE, read: isTame },
  'plain words': { most: PROSE, read: plainWords },
  'what can be found': { most: PROSE, read: (text) => textOf({ kind: 'message', author: 'user', text })?.shown?.() },
  'what is searched for': { most: 1000, read: (text) => [fold(text), wordsOf(text)] },
  'what is shown of a hit': { most: 32_768, read: (text) => snippetOf(text, wordsOf(text.slice(0, 100))) },
  'a title': { most: PROSE, read: (text) => titleFrom(text) },
  'signs that nobody sees': {
    most: PROSE,
    read: (text) => [visible(text), visibleWords(text), cleanText(text), shownClean(text)],
  },
  // The page
  'a patch': { most: PROSE, read: (text) => [isPatch(text), beginsPatch(text), changesIn(text)] },
  'edits of a call': {
    most: PROSE,
    read: (text) => [editsIn(text), argumentsOf(text), membersOf(text)],
  },
  'fields of a call': { most: PROSE, read: (text) => joined(fieldsOf(text), []) },
  'how a value may be read': { most: PROSE, read: readingOf },
  'a quote': { most: PROSE, read: quoted },
  'HTML in Markdown': { most: PROSE, read: rawPieces },
  'lines that are left out': { most: PROSE, read: withGaps },
}

const GLOBS = ['*', 'git *', '*a*b*', '*?a?b*', '*\\**', '?????*?*a'].map(compileGlob)
const PATHS = ['**/*.ts', '/**/a/**/b/*', '**/?a*/**'].map((pattern) => compilePathGlob(pattern))
const NOWHERE = { cwd: undefined }

function readingAt(text: string) {
  const steps = stepsOf(`/${text}`)
  return { written: steps, real: steps }
}

/** What is refused has been read, too. */
function quietly(read: () => unknown) {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Hears the text in pieces, as they come. */
function bySocket(text: string) {
  const stream = new PassThrough()
  readLines(stream, { limitLength: PROSE, line: () => {}, tooLong: () => {} })
  for (let at = 0; at < text.length; at += 1000) stream.emit('data', text.slice(at, at + 1000))
}

function byServer(text: string) {
  const { hear } = readMountedLines({ most: PROSE, line: () => {}, tooLong: () => {} })
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 1000) hear(bytes.subarray(at, at + 1000))
}

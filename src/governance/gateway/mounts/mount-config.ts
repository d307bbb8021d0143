import * as z from 'zod/mini'
import { ParleyError } from '../../../protocol/errors.ts'
import { parse } from '../../../protocol/parse.ts'
import { OWN_TOOLS } from '../../../protocol/tools/called-tool.ts'

const Strings = z.record(z.string(), z.string('must be text'), 'must be an object of texts')
const TAKEN = `A server cannot be called ${OWN_TOOLS}: that is what rules call the tools that agents have of their own`
/** Set by whoever paused the mount. */
const disabled = z.optional(z.boolean('must be true or false'))
const notEmpty = z.string('must be text').check(z.minLength(1, 'must not be empty'))

const ProcessConfig = z.looseObject({
  type: z.optional(z.literal('stdio')),
  command: notEmpty,
  args: z.optional(z.array(z.string('must be text'), 'must be a list of texts')),
  env: z.optional(Strings),
  cwd: z.optional(notEmpty),
  disabled,
})
const HttpConfig = z.looseObject({
  type: z.optional(z.enum(['http', 'streamable-http', 'sse'], 'must be stdio, http, streamable-http or sse')),
  url: notEmpty,
  headers: z.optional(Strings),
  disabled,
})
export type ProcessConfig = z.infer<typeof ProcessConfig>
export type HttpConfig = z.infer<typeof HttpConfig>
export type MountConfig = ProcessConfig | HttpConfig

/** One server of a file in the shape of `.mcp.json`. What else is in it is kept. */
export function parseMount(name: string, value: unknown): MountConfig {
  if (name === OWN_TOOLS) throw new ParleyError('invalid', { problem: TAKEN })
  const isHttp = typeof value === 'object' && value !== null && 'url' in value
  return isHttp ? parse(HttpConfig, value) : parse(ProcessConfig, value)
}

/** The config with the variables of the environment in their places. Throws for one that is not set. */
export function filledIn(config: MountConfig, env: NodeJS.ProcessEnv): MountConfig {
  if (!('url' in config))
    return { ...config, args: config.args?.map((arg) => filled(arg, env)), env: allFilled(config.env, env) }
  const { url, headers } = config as HttpConfig
  return { ...config, url: address(filled(url, env)), headers: allFilled(headers, env) }
}

function allFilled(texts: Record<string, string> | undefined, env: NodeJS.ProcessEnv) {
  return texts && Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, filled(text, env)]))
}

const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g

/** Works as in a shell: the default after `:-` is also taken for a variable that is empty. */
function filled(text: string, env: NodeJS.ProcessEnv): string {
  return text.replace(VARIABLE, (_, name: string, otherwise: string | undefined) => {
    const value = otherwise === undefined ? env[name] : env[name] || otherwise
    if (value === undefined) throw new ParleyError('invalid', { problem: `The variable ${name} is not set` })
    return value
  })
}

function address(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url
  throw new ParleyError('invalid', { problem: 'Its url must begin with http:// or https://' })
}

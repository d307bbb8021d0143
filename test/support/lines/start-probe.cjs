/*
 * Loaded before everything else in each process of a start: writes down what the process had loaded and opened when the
 * answer to `initialize` left it, and at its end which modules of Node it ever had.
 */
const fs = require('node:fs')
const { registerHooks } = require('node:module')
const { Socket } = require('node:net')
const { basename, join } = require('node:path')

const OPENING = ['openSync', 'readFileSync', 'writeFileSync', 'readdirSync']
const { writeFileSync } = fs

// No thread of a process can change its folder; only the process itself is looked at.
if (!process.chdir.disabled) watch()

function watch() {
  const loaded = []
  const opened = []
  const { write } = Socket.prototype
  registerHooks({
    load(url, context, next) {
      if (url.startsWith('file:')) loaded.push(basename(url))
      return next(url, context)
    },
  })
  for (const name of OPENING) {
    const open = fs[name]
    fs[name] = (file, ...more) => {
      if (typeof file === 'string') opened.push(file)
      return open(file, ...more)
    }
  }
  Socket.prototype.write = function (chunk, ...more) {
    if (String(chunk).includes('"serverInfo"')) {
      Socket.prototype.write = write
      writeDown('json', { loaded, opened, builtin: builtin().filter((name) => !name.startsWith('internal/')) })
    }
    return write.call(this, chunk, ...more)
  }
  process.on('exit', () => writeDown('end.json', builtin()))
}

function builtin() {
  return process.moduleLoadList.flatMap((name) => /^NativeModule (.*)/.exec(name)?.[1] ?? [])
}

function writeDown(ending, about) {
  writeFileSync(join(process.env.PROBED, `${basename(process.argv[1])}.${ending}`), JSON.stringify(about))
}

import about from '../../package.json' with { type: 'json' }

export const VERSION = about.version
/** What it is installed as. Its command is `parley`, but a package of that name is somebody else's. */
export const PACKAGE = about.name

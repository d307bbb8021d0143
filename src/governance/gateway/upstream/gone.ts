/** It could not even be told: the server has just ended. */
export class Gone extends Error {}

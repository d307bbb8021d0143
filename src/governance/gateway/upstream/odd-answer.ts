/** A server is there, but what it answered is of no use. */
export class OddAnswer extends Error {}

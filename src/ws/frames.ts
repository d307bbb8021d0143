/** Serialises what many clients are sent only once: the log hands all of them the same objects. */
export function serialiseOnce<Source extends object>(toFrame: (source: Source) => unknown) {
  const frames = new WeakMap<Source, Buffer>()
  return (source: Source): Buffer => {
    const known = frames.get(source)
    if (known) return known
    const frame = Buffer.from(JSON.stringify(toFrame(source)))
    frames.set(source, frame)
    return frame
  }
}

import type { Reply } from './reply.ts'

export function geminiEvents({ say = [], calls = [], tokens }: Reply): Record<string, unknown>[] {
  const { input, output } = tokens ?? { input: 10, output: 5 }
  const parts = [
    ...say.map((text) => ({ text })),
    ...calls.map(({ name, input }) => ({ functionCall: { name, args: input } })),
  ]
  return parts.map((part, index) => ({
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts: [part] },
        ...(index === parts.length - 1 && { finishReason: 'STOP' }),
      },
    ],
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
    modelVersion: 'm',
  }))
}

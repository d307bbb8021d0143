import type { AgentService } from './agent-service.ts'

interface Bounds {
  /** Throws where it is not to be seen. */
  seen(conversation: string): string
  seenQuestion(question: string): Promise<string>
}

/** The service for an agent that may see one conversation: what is in others is not there. */
export function boundAgentService(all: AgentService, { seen, seenQuestion }: Bounds): AgentService {
  return {
    ask: async (conversation, ...rest) => all.ask(seen(conversation), ...rest),
    outcome: async (question, signal) => all.outcome(await seenQuestion(question), signal),
    mustOwn: all.mustOwn,
    expects: all.expects,
    carries: (conversation) => all.carries(seen(conversation)),
    stillOpen: async (questions) => all.stillOpen(await Promise.all(questions.map(seenQuestion))),
    withdraw: async (questions, gone) => all.withdraw(await Promise.all(questions.map(seenQuestion)), gone),
    unread: async (conversation, ...rest) => all.unread(seen(conversation), ...rest),
    recognise: async (conversation, told) => all.recognise(seen(conversation), told),
    tell: async (conversation, ...rest) => all.tell(seen(conversation), ...rest),
    note: async (conversation, receipt) => all.note(seen(conversation), receipt),
    noteSoon: (conversation, receipt) => all.noteSoon(seen(conversation), receipt),
    enter: (conversation, ...rest) => all.enter(seen(conversation), ...rest),
  }
}

import { DRIVING } from '../../../protocol/frames/driving.ts'
import { type Tool, tool } from '../surface.ts'
import { actor, type ChatParts } from './chat-tools.ts'

/** What those who drive agents show people: who there is, what it does, and the text as it grows. */
export function drivingTools({ viewOf, ...parts }: ChatParts): Tool[] {
  return [
    showDriven(),
    showPartial(),
    tellEarlier(),
    readEarlier(),
    offerRunner(),
    withdrawRunner(),
    showFailedRun(),
    answerRequest(),
  ]

  function showDriven(): Tool {
    return tool({
      name: 'show_driven',
      title: 'Show what the agent does',
      description:
        'Shows people what the agent of a conversation that you hold does, and which modes, models and commands it has. Takes the place of what was shown before; never stored.',
      needs: 'drive',
      often: true,
      ...DRIVING.show_driven,
      async call({ session_id, holder, driven }, { principal }) {
        await viewOf(principal).driver().showDriven(session_id, holder, driven)
        return {}
      },
    })
  }

  function showPartial(): Tool {
    return tool({
      name: 'show_partial',
      title: 'Show text as it grows',
      description:
        'Shows people texts of a conversation that you hold while they grow; never stored. The entry that is posted with the id as its key takes the place of the text.',
      needs: 'drive',
      often: true,
      ...DRIVING.show_partial,
      async call({ session_id, holder, ...grown }, caller) {
        const { view, by } = actor({ viewOf, ...parts }, caller)
        await view.driver().showPartial(session_id, holder, { by, ...grown })
        return {}
      },
    })
  }

  function tellEarlier(): Tool {
    return tool({
      name: 'tell_earlier',
      title: 'Tell what was said before',
      description:
        'Shows people what was said in the session of the agent that a conversation that you hold goes on with, in order. It counts as no message.',
      needs: 'drive',
      ...DRIVING.tell_earlier,
      async call({ session_id, holder, entries, key }, caller) {
        const { view, by } = actor({ viewOf, ...parts }, caller)
        await view.driver().tellEarlier(session_id, holder, by, entries, key)
        return {}
      },
    })
  }

  function readEarlier(): Tool {
    return tool({
      name: 'read_earlier',
      title: 'Read what was said before',
      description:
        'What was said last before a conversation that you hold began, in words for an agent that remembers none of it; empty where it goes on from nothing.',
      needs: 'drive',
      ...DRIVING.read_earlier,
      async call({ session_id, holder }, { principal }) {
        return { context: await viewOf(principal).driver().earlier(session_id, holder) }
      },
    })
  }

  function offerRunner(): Tool {
    return tool({
      name: 'offer_runner',
      title: 'Offer to drive conversations',
      description: 'Offers people to begin conversations with you, until the lease is over or you offer it again.',
      needs: 'drive',
      often: true,
      ...DRIVING.offer_runner,
      async call({ holder, runner, seconds }, { principal }) {
        const until = viewOf(principal).driver().offerRunner(runner, holder, seconds)
        return { until: new Date(until).toISOString() }
      },
    })
  }

  function withdrawRunner(): Tool {
    return tool({
      name: 'withdraw_runner',
      title: 'Offer nothing any more',
      description: 'Takes back what you offered with offer_runner.',
      needs: 'drive',
      ...DRIVING.withdraw_runner,
      async call({ holder, name }, { principal }) {
        viewOf(principal).driver().withdrawRunner(name, holder)
        return {}
      },
    })
  }

  function showFailedRun(): Tool {
    return tool({
      name: 'show_failed_run',
      title: 'Show why a runner could not begin',
      description:
        'Shows people for a while why a runner that would have offered itself could not begin; never stored. One of the same name that is there stays as it is.',
      needs: 'drive',
      ...DRIVING.show_failed_run,
      async call({ runner }, { principal }) {
        return { until: new Date(viewOf(principal).driver().showFailedRun(runner)).toISOString() }
      },
    })
  }

  function answerRequest(): Tool {
    return tool({
      name: 'answer_request',
      title: 'Answer what a person wants to know',
      description:
        'Answers one of the requests that come with updates of ui://chat/events: what was changed in the folder of a conversation that you hold. Without an answer you cannot tell.',
      needs: 'drive',
      ...DRIVING.answer_request,
      async call({ holder, request, ...answer }, { principal }) {
        viewOf(principal).driver().answerRequest(request, holder, answer)
        return {}
      },
    })
  }
}

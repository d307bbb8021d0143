import type { Body } from '../../src/protocol/entries/entry.ts'

/** As it names itself: the hub knows that it waits for as long as it is told of progress. */
export const claude = 'claude-code'

/** What happened before the pictures are taken, by conversation, the oldest first. */
export const STORY: Record<string, Body[]> = {
  docs: [
    title('Rewrite the getting started guide'),
    said('The guide is down from nine steps to three. Everything else moved to a page of its own.'),
    said('Shall I publish it now or with the next release?'),
    told('With the release, please'),
    said('Then it waits in the branch `docs/start`. **Nothing else is open here.**'),
  ],
  search: [
    title('Search is slow on large logs'),
    said('I can reproduce it: 2.1 s for a single word in a log of a million entries.'),
    told('Which part of it takes the time?'),
    call('Bash', { command: 'node bench/search.ts --entries 1000000', description: 'Measure the search' }),
    result('Bash', 'tokenise      41 ms\nmatch       1880 ms\nsnippets     177 ms\ntotal       2098 ms'),
  ],
  login: [
    title('Fix the login redirect'),
    told(
      'After signing in I land on the front page, not where I came from. It worked in 2.3. Can you find out since when?',
    ),
    {
      kind: 'thinking',
      by: claude,
      reasoning: 'The address must survive the round trip to the provider. Where is it kept?',
    },
    call('Grep', { pattern: 'returnTo', path: 'src' }),
    result('Grep', 'src/session.ts:41\nsrc/login.ts:88\nsrc/login.ts:97'),
    call('Bash', { command: 'git log --oneline -S returnTo -- src/login.ts', description: 'When did it change?' }),
    result(
      'Bash',
      '9f31c2e login: keep the address in the session\n41b77d0 login: redirect after the provider answers',
    ),
    call('Read', { file_path: 'src/login.ts' }),
    result('Read', 'export async function finishLogin(request, session) {\n  …\n}'),
    said(`Found it. Since \`9f31c2e\` the address is kept in the session, and the provider's answer **starts a new one**:

| version | kept in | survives the login |
| --- | --- | --- |
| 2.3 | signed cookie | yes |
| 2.4 | session | no |

\`\`\`ts
const { returnTo = '/' } = session.take('login')
return redirect(isOurs(returnTo) ? returnTo : '/')
\`\`\`

- [x] a test that fails without the change
- [x] the same for links from a mail
- [ ] release notes`),
    call('Edit', {
      file_path: 'src/login.ts',
      old_string: "  return redirect('/')",
      new_string:
        "  const { returnTo = '/' } = previous.take('login')\n  return redirect(isOurs(returnTo) ? returnTo : '/')",
    }),
    result('Edit', 'The file src/login.ts has been updated.'),
    call('Bash', { command: 'npm test -- login', description: 'Run the tests of the login' }),
    result('Bash', '✓ 14 passed'),
  ],
}

/** Asked live, so that somebody waits for an answer. */
export const QUESTIONS = {
  search: {
    question: 'May I add an index to the log? It makes it a tenth larger.',
    options: [{ label: 'Yes' }, { label: 'No' }],
  },
  login: {
    question: 'The change is small and tested. **Where shall it go?**',
    options: [
      { label: 'A branch of its own', description: 'You review it before anybody gets it' },
      { label: 'Straight into the release', description: '2.4.1 is planned for tomorrow' },
      { label: 'Both', description: 'A branch now, and into the release once you agree' },
    ],
  },
}

export const APPROVAL = {
  tool_name: 'Bash',
  input: {
    command: 'git push origin fix/login-redirect',
    description: 'Push the branch',
  },
}

function title(title: string): Body {
  return { kind: 'title', title }
}

function told(text: string): Body {
  return { kind: 'message', author: 'user', by: 'person', text }
}

function said(text: string): Body {
  return { kind: 'message', author: 'assistant', by: claude, text }
}

function call(tool_name: string, args: Record<string, string>): Body {
  return { kind: 'tool_call', by: claude, tool_name, tool_args: JSON.stringify(args) }
}

function result(tool_name: string, result: string): Body {
  return { kind: 'tool_result', by: claude, tool_name, result, success: true }
}

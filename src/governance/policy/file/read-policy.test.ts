import { expect, test } from 'vitest'
import { readPolicy } from './read-policy.ts'

/** A policy whose only rule has these members. */
const withRule = (members: string) => `{ "rules": [\n  { ${members} }\n] }`
const problemsIn = (text: string) =>
  readPolicy(text).problems.map(({ line, column, text }) => `${line}:${column} ${text}`)

test('[G12] a policy is JSON with comments and commas after the last', () => {
  const { rules, problems } = readPolicy(`\uFEFF// Ours
{
  /* first the
     harmless ** / */
  "rules": [
    // "not": { a rule }
    { "id": "reading", "tool": "read_*", /* // */ "decision": "allow", },

    {
      "server": "a//b", // text, no comment
      "decision": "deny_abort", "reason": "\\u0041 \\"quoted\\" /* reason */"
    },
  ],
}
`)
  expect(problems).toEqual([])
  expect(rules).toMatchObject([
    { id: 'reading', line: 7, tool: ['read_*'], decision: 'allow' },
    { id: '#2', line: 9, server: ['a//b'], reason: 'A "quoted" /* reason */' },
  ])
  expect(readPolicy('{"rules":[]}')).toEqual({ rules: [], problems: [] })
})

test('[G13] what is just possible is no problem', () => {
  const deep = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`
  for (const members of [
    '"arguments": {"a": {">=": 5, "<=": 5}}, "decision": "ask"',
    '"arguments": {"a": {">": 5, "<": 6}}, "decision": "ask"',
    '"arguments": {"a": {"glob": "a*", "path": "/x", "not": {"path": "/y"}}}, "decision": "ask"',
    '"arguments": {"a": {"exists": true, ">": 5}}, "decision": "ask"',
    '"arguments": {"a": {"exists": false}}, "decision": "ask"',
    `"arguments": {"a": ${deep(46)}}, "decision": "ask"`,
    '"decision": "ask", "time": ["00:00-24:00", "09:59-00:00", "23:59-22:59"]',
    '"decision": "ask", "deadline": "30d"',
    '"decision": "ask", "limit": {"calls": "1 a day"}',
    '"decision": "ask", "folder": ["", "/a*"]',
  ])
    expect([members, problemsIn(withRule(members))]).toEqual([members, []])
  expect(problemsIn(withRule(`"arguments": {"a": ${deep(47)}}, "decision": "ask"`))).toHaveLength(1)
})

test.each([
  ['', '1:1 The file ends too early'],
  ['  // nothing\n', '2:1 The file ends too early'],
  ['[]', '1:1 A policy is an object with "rules"'],
  ['{}', '1:1 A policy has "rules"'],
  ['{"rules": {}}', '1:11 "rules" is a list'],
  ['{"rules": [], "defualt": 1}', '1:15 Unknown "defualt" in a policy; known: rules'],
  ['{"rules": []', '1:13 "," or "}" is expected here'],
  ['{"rules": [] "x": 1}', '1:14 "," or "}" is expected here'],
  ['{"rules": [,]}', '1:12 "," is not expected here'],
  ['{"rules" []}', '1:10 ":" is expected here'],
  ['{rules: []}', '1:2 A name in double quotes is expected here'],
  ['{"rules": [\'a\']}', "1:12 'a' is not a JSON value; texts are in double quotes"],
  ['{"rules": [01]}', '1:12 01 is not a JSON value; texts are in double quotes'],
  ['{"rules": ["a\n"]}', '1:12 This text has no end on its line'],
  ['{"rules": ["\\x"]}', '1:12 This text has a character or an escape that JSON does not know'],
  ['{"rules": []} {}', '1:15 Nothing may follow the end'],
  ['{"rules": [] /* }', '1:14 This comment has no end'],
  ['{"rules": [], "rules": []}', '1:15 "rules" is there twice'],
  [`${'['.repeat(60)}`, '1:52 This is nested deeper than 50 levels'],
  ['{"rules": ["allow"]}', '1:12 A rule is an object'],
])('[G12] what is no policy is told with its place: %j', (text, problem) => {
  expect(problemsIn(text)).toEqual([problem])
})

test.each([
  ['"tool": "a"', '2:3 This rule has no "decision"; it is allow, ask, deny_continue, deny_abort'],
  ['"decision": "alow"', '2:17 Unknown "alow" in decisions; did you mean "allow"?'],
  ['"decision": true', '2:17 This must be text'],
  ['"decision": "ask", "sever": "a"', '2:24 Unknown "sever" in a rule; did you mean "server"?'],
  ['"decision": "ask", "tool": 5', '2:32 This must be text'],
  ['"decision": "ask", "tool": []', '2:32 This list is empty, so that nothing fits it'],
  ['"decision": "ask", "tool": ["a", null]', '2:38 This must be text'],
  ['"decision": "ask", "tool": ""', '2:32 This pattern must not be empty'],
  ['"decision": "ask", "id": "#1"', '2:30 An id does not begin with "#"; rules without one are called so'],
  ['"decision": "ask", "note": " "', '2:32 This must not be empty'],
  ['"decision": "ask", "arguments": []', '2:37 This must be an object'],
  ['"decision": "ask", "arguments": {}', '2:37 This names nothing; leave it out'],
  ['"decision": "ask", "arguments": {"a..b": 1}', '2:38 "a..b" names no argument; they are as in "options.depth"'],
  ['"decision": "ask", "arguments": {"": 1}', '2:38 "" names no argument; they are as in "options.depth"'],
  [
    '"decision": "ask", "arguments": {"a": {}}',
    '2:43 Nothing is wanted here; say it with glob, path, command, <, <=, >, >=, exists, not',
  ],
  ['"decision": "ask", "arguments": {"a": []}', '2:43 This list is empty, so that nothing fits it'],
  ['"decision": "ask", "arguments": {"a": {"pth": "/"}}', '2:44 Unknown "pth" in a condition; did you mean "path"?'],
  ['"decision": "ask", "arguments": {"a": {">": "5"}}', '2:49 This must be a number'],
  ['"decision": "ask", "arguments": {"a": {">": 1e999}}', '2:49 This number is too large'],
  ['"decision": "ask", "arguments": {"a": {">": 5, "<=": 5}}', '2:43 No number fits this'],
  ['"decision": "ask", "arguments": {"a": {">=": 5, "<": 5}}', '2:43 No number fits this'],
  [
    '"decision": "ask", "arguments": {"a": {"exists": false, "glob": "x"}}',
    '2:43 What is not there can fit nothing else',
  ],
  ['"decision": "ask", "arguments": {"a": {"command": []}}', '2:55 This list is empty, so that nothing fits it'],
  ['"decision": "ask", "arguments": {"a": [1, []]}', '2:47 This list is empty, so that nothing fits it'],
  ['"decision": "ask", "arguments": {"a\\\\": 1}', '2:38 "a\\" names no argument; they are as in "options.depth"'],
  ['"decision": "ask", "folder": []', '2:34 This list is empty, so that nothing fits it'],
  ['"decision": "ask", "folder": "!a"', /^2:34 This pattern begins with "!"/],
  ['"decision": "ask", "time": []', '2:32 This list is empty, so that nothing fits it'],
  ['"decision": "ask", "annotations": {}', '2:39 This names nothing; leave it out'],
  ['"decision": "deny_abort", "limit": {"calls": "1 a day"}', /^2:3 A rule that denies has no "limit"/],
  ['"decision": "ask", "arguments": {"a": {">=": 6, "<": 5}}', '2:43 No number fits this'],
  ['"decision": "ask", "arguments": {"a": {">": 5, "glob": "x"}}', '2:43 Nothing is a number and a text'],
  ['"decision": "ask", "arguments": {"a": {">": 5, "path": "/x"}}', '2:43 Nothing is a number and a text'],
  ['"decision": "ask", "arguments": {"a": {">": 5, "command": "x"}}', '2:43 Nothing is a number and a text'],
  ['"decision": "ask", "arguments": {"a": {"exists": false, ">": 5}}', '2:43 What is not there can fit nothing else'],
  ['"decision": "ask", "arguments": {"a": {"exists": 1}}', '2:54 This must be true or false'],
  ['"decision": "ask", "arguments": {"a": {"path": ["/a", "b"]}}', /^2:59 This pattern fits no path/],
  ['"decision": "ask", "arguments": {"a": {"path": []}}', '2:52 This list is empty, so that nothing fits it'],
  ['"decision": "ask", "arguments": {"a": {"not": {"glob": "["}}}', /^2:60 This pattern has a "\["/],
  ['"decision": "ask", "annotations": {"readonly": true}', /^2:40 Unknown "readonly" in annotations; /],
  ['"decision": "ask", "annotations": {"readOnlyHint": "yes"}', '2:56 This must be true or false'],
  ['"decision": "ask", "time": "9-17"', '2:32 A time is as in "09:00-17:30", or over midnight "22:00-06:00"'],
  ['"decision": "ask", "time": "09:60-17:00"', /^2:32 A time is as in/],
  ['"decision": "ask", "time": "09:00-17:60"', /^2:32 A time is as in/],
  ['"decision": "ask", "time": "24:00-07:00"', /^2:32 A time is as in/],
  ['"decision": "ask", "time": "09:00-24:01"', /^2:32 A time is as in/],
  ['"decision": "ask", "time": "09:00-09:00"', '2:32 This time ends when it begins'],
  ['"decision": "ask", "deadline": 10', '2:36 This must be text'],
  ['"decision": "ask", "deadline": "0s"', /^2:36 A deadline is as in "90s"/],
  ['"decision": "ask", "deadline": "31d"', /^2:36 A deadline is as in "90s"/],
  [
    '"decision": "allow", "command": true',
    '2:37 This is false, for calls that run no command; which command is said in "arguments"',
  ],
  ['"decision": "ask", "command": false', /^2:3 Only a rule that allows has a "command"/],
  ['"decision": "allow", "deadline": "1h"', /^2:3 Only a rule that asks has a "deadline"/],
])('[G13] what is wrong in a rule is told with its place: %s', (members, problem) => {
  const problems = problemsIn(withRule(members))
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(problem)
})

test('[G13] everything that is wrong is told at once, and ids are there once', () => {
  const text = `{ "rules": [
  { "id": "a", "decision": "ask" },
  { "id": "a", "decision": "ask" },
  { "tol": "x", "decision": "no", "time": 5 },
] }`
  expect(problemsIn(text)).toEqual([
    '3:11 There is another rule "a"',
    '4:5 Unknown "tol" in a rule; did you mean "tool"?',
    '4:29 Unknown "no" in decisions; known: allow, ask, deny_continue, deny_abort',
    '4:43 This must be text',
  ])
})

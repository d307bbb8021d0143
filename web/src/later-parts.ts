// One file for the browser to fetch, right after the first message.
export { default as Composer } from './composer/Composer.svelte'
export { showBadge } from './frame/badge.ts'
export { default as SideHandle } from './frame/SideHandle.svelte'
export { default as Announcer } from './timeline/Announcer.svelte'
export { default as AttachmentList } from './timeline/AttachmentList.svelte'
export { default as DeedRow } from './timeline/DeedRow.svelte'
export { default as MessageActions } from './timeline/MessageActions.svelte'
export { default as QuestionEnd } from './timeline/QuestionEnd.svelte'

/** Whose exchanges they are where there is only one caller, who stays. */
export const SAME_CALLER = { shown: '', outlasting: () => () => {}, unread: new Promise<void>(() => {}), cut() {} }

export { visible, visibleWords } from '../../../src/protocol/text/visible.ts'

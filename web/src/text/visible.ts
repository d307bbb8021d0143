export { visible, visibleWords } from '../../../src/protocol/visible.ts'

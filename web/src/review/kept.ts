import { Reviews } from './review.svelte.ts'

export const reviews = new Reviews(localStorage)

addEventListener('storage', ({ key }) => reviews.hear(key))

/** 2025-era clients open a connection by `initialize`, 2026-era ones do not. */
export type Era = 'legacy' | 'modern'

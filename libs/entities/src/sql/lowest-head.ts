/** SQL of the lowest height that undoing can make the head. Each block touches its generator's account, so no other before-images reach further down. */
export const LOWEST_HEAD = `greatest(coalesce((SELECT min(height) - 1 FROM undo_accounts), head.height), 1)`;

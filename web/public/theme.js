// Runs before the first paint, which a module does not; the policy of the page allows no inline script.
document.documentElement.dataset.theme = localStorage.getItem('parley.theme') ?? 'system'

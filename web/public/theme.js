// Runs before the first paint. The page allows no inline script.
document.documentElement.dataset.theme = localStorage.getItem('parley.theme') ?? 'system'
const side = Number(localStorage.getItem('parley.side') || undefined)
if (side >= 15 && side <= 32) document.documentElement.style.setProperty('--side-width', `${side}rem`)

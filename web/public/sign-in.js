// The key goes where no page of another port can read it, unlike the cookie that came along.
const key = document.getElementById('key')
if (key) {
  localStorage.setItem('parley.key', key.dataset.key)
  location.replace('/')
}
document.getElementById('owner')?.requestSubmit()

import './style.css'

// The theme with fonts would bring a megabyte of them along.
export { default } from 'vitepress/theme-without-fonts'

// Package browser opens pages in a headless Chromium, for tests that look at them as
// a reader would. It is there with the build tag browser only.
package browser

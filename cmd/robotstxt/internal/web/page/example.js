// The example: a file and URLs for people who want to try the page.

export const example = {
  text: `# The robots.txt of a shop
User-agent: *
Disallow: /basket
Disallow: /search?
Allow: /basket/help
Crawl-delay: 5
Content-Usage: train-ai=n

User-agent: Googlebot
User-agent: Bingbot
Disallow: /basket
Disallow: /*?sort=
Allow: /basket/help$

User-agent: GPTBot
Disalow: /reviews/
Disallow: /

Sitemap: https://shop.example/sitemap.xml
`,
  urls: `https://shop.example/
https://shop.example/basket
https://shop.example/basket/help
https://shop.example/basket/help/returns
https://shop.example/search?q=tea
https://shop.example/tea?sort=price
https://shop.example/reviews/42
https://shop.example/robots.txt
`,
};

<!DOCTYPE html>
<html><head><title>Not found</title></head><body>void mainImage</body></html>

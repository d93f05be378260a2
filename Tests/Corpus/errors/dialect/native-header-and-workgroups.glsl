/*{ "ETALON": 1 }*/
layout(local_size_x = 8) in;
void main() {}

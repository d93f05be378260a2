void mian() { gl_FragColor = vec4(1.0); }
